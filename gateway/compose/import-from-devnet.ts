import type { DatabasePool } from 'slonik'
import { listSnapshots } from '../../db/inspect/clear-signing/snapshots.ts'
import { addPriceSamples } from '../../db/market/prices/token-prices.ts'
import type { DevnetReport } from './devnet-report.ts'
import { importSnapshot } from '../../relayer/inspect/clear-signing/import-snapshot.ts'
import { hashFiles, type SnapshotFiles } from '../../relayer/inspect/clear-signing/snapshot-files.ts'
import type { ServiceConfig } from '../config/config.ts'
import { hasNoPrices } from './adopt-devnet.ts'

/** Origin of the descriptors. */
const SOURCE = {
  registry: 'devnet',
  status: 'local',
  pullRequest: null,
  repository: null,
  commit: null,
} as const

/** Stores the report of a devnet besides settings: descriptors of its contracts, and prices of earlier hours. */
export async function importFromDevnet(
  database: DatabasePool,
  { descriptors, earlierPrices }: DevnetReport,
  config: ServiceConfig,
): Promise<void> {
  if (earlierPrices.length > 0 && hasNoPrices(config)) await addPriceSamples(database, earlierPrices)
  await importDescriptors(
    database,
    new Map(Object.entries(descriptors).map(([path, text]) => [path, Buffer.from(text)])),
  )
}

/** Imports the devnet's descriptors, unless the database already has exactly these. */
async function importDescriptors(database: DatabasePool, files: SnapshotFiles): Promise<void> {
  const contentHash = hashFiles(files)
  const imported = await listSnapshots(database)
  if (imported.some((snapshot) => snapshot.contentHash.equals(contentHash))) return
  // Skips the schema check, whose compilation is slow: the files belong to this repository, and a test checks them.
  await importSnapshot(database, files, SOURCE, { checkSchema: () => null })
}
