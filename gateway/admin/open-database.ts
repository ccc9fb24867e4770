import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import type { StorageConfig } from '../../db/config.ts'
import { connectDatabase } from '../../db/connect-database.ts'
import { findRunningServer } from '../../db/embedded-postgres/server-address.ts'
import { startEmbeddedPostgres } from '../../db/embedded-postgres/start-embedded-postgres.ts'
import { migrateDatabase } from '../../db/migrate.ts'
import { AdminError } from './command.ts'

export interface OpenDatabase {
  pool: DatabasePool
  close(): Promise<void>
}

/**
 * Opens the service's database, whether or not the service runs. That is the configured server, or the embedded one,
 * started for this command if needed.
 *
 * @throws AdminError if there is none.
 */
export async function openDatabase(storage: StorageConfig, logger: Logger): Promise<OpenDatabase> {
  const { databaseUrl, directUrl, dataDir } = storage
  const url = directUrl ?? databaseUrl
  if (url) return connect(url)
  const running = findRunningServer(dataDir)
  if (running && (await answers(running))) return connect(running)
  if (!existsSync(join(dataDir, 'postgres', 'cluster')))
    throw new AdminError(
      `There is no database in ${dataDir}: start the service once, or set DATA_DIR or DATABASE_URL as it has them`,
    )
  const embedded = await startEmbeddedPostgres({ dataDir, logger })
  try {
    return await connect(embedded.url, embedded.stop)
  } catch (error) {
    await embedded.stop()
    throw error
  }
}

async function connect(url: string, stop: () => Promise<void> = async () => {}): Promise<OpenDatabase> {
  await migrateDatabase(url)
  const pool = await connectDatabase(url, { maxPoolSize: 2 })
  return {
    pool,
    async close() {
      await pool.end()
      await stop()
    },
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const pool = await connectDatabase(url, { maxPoolSize: 1 })
    await pool.end()
    return true
  } catch {
    return false
  }
}
