import type { DatabasePool } from 'slonik'
import { listSnapshots } from '../../db/inspect/clear-signing/snapshots.ts'
import { addPriceSamples } from '../../db/market/prices/token-prices.ts'
import type { DevnetReport } from './devnet-report.ts'
import { importSnapshot } from '../../relayer/inspect/clear-signing/import-snapshot.ts'
import { hashFiles, type SnapshotFiles } from '../../relayer/inspect/clear-signing/snapshot-files.ts'
import type { ServiceConfig } from '../config/config.ts'
import { hasNoPrices } from './adopt-devnet.ts'

/** Who gave the descriptors. */
const SOURCE = {
  registry: 'devnet',
  status: 'local',
  pullRequest: null,
  repository: null,
  commit: null,
} as const

/** Stores what a devnet reports besides settings: descriptors of its contracts, and prices of the hours before. */
export async function importFromDevnet(
  database: DatabasePool,
  { descriptors, earlierPrices }: Pick<DevnetReport, 'descriptors' | 'earlierPrices'>,
  config: Pick<ServiceConfig, 'prices'>,
): Promise<void> {
  if (earlierPrices.length > 0 && hasNoPrices(config)) await addPriceSamples(database, earlierPrices)
  await importDescriptors(
    database,
    new Map(Object.entries(descriptors).map(([path, text]) => [path, Buffer.from(text)])),
  )
}

/** Imports the devnet's descriptors, unless the database has had these very ones. */
async function importDescriptors(database: DatabasePool, files: SnapshotFiles): Promise<void> {
  const contentHash = hashFiles(files)
  const imported = await listSnapshots(database)
  if (imported.some((snapshot) => snapshot.contentHash.equals(contentHash))) return
  // They are files of this repository, and a test checks them by the schema, whose compilation takes its time.
  await importSnapshot(database, files, SOURCE, { checkSchema: () => null })
}
