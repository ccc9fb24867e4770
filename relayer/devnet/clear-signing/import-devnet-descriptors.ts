import type { DatabasePool } from 'slonik'
import { listSnapshots } from '../../../db/inspect/clear-signing/snapshots.ts'
import { importSnapshot } from '../../inspect/clear-signing/import-snapshot.ts'
import { hashFiles } from '../../inspect/clear-signing/snapshot-files.ts'
import type { DevnetAddresses } from '../deploy/devnet-addresses.ts'
import { listDevnetDescriptors } from './list-devnet-descriptors.ts'

/** Imports the devnet's own descriptors, unless the database has had these very ones. */
export async function importDevnetDescriptors(
  database: DatabasePool,
  chains: readonly { chainId: number; addresses: DevnetAddresses }[],
): Promise<void> {
  const files = await listDevnetDescriptors(chains)
  const contentHash = hashFiles(files)
  const imported = await listSnapshots(database)
  if (imported.some((snapshot) => snapshot.contentHash.equals(contentHash))) return
  const source = {
    registry: 'devnet',
    status: 'local',
    pullRequest: null,
    repository: null,
    commit: null,
  } as const
  // They are files of this repository, and a test checks them by the schema, whose compilation takes its time.
  await importSnapshot(database, files, source, { checkSchema: () => null })
}
