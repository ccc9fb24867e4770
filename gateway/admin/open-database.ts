import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import type { StorageConfig } from '../../db/config.ts'
import { connectDatabase } from '../../db/connect-database.ts'
import { demandSameDatabase } from '../../db/database-servers.ts'
import { findRunningServer } from '../../db/embedded-postgres/server-address.ts'
import { startEmbeddedPostgres } from '../../db/embedded-postgres/start-embedded-postgres.ts'
import { migrateDatabase } from '../../db/migrate.ts'
import { AdminError } from './command.ts'

export interface OpenDatabase {
  pool: DatabasePool
  close(): Promise<void>
}

/** A server that a command may use. */
export interface LocatedServer {
  url: string
  /** Stops it if it was started for this command. */
  stop(): Promise<void>
}

/**
 * Opens the service's database, whether or not the service runs. That is the configured server, or the embedded one,
 * started for this command if needed.
 *
 * @throws AdminError if there is none.
 */
export async function openDatabase(storage: StorageConfig, logger: Logger): Promise<OpenDatabase> {
  const { url, stop } = await locateServer(storage, logger)
  try {
    await migrateDatabase(url)
    const pool = await connectDatabase(url, { maxPoolSize: 2 })
    return {
      pool,
      async close() {
        await pool.end()
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Finds the service's server without changing its database; starts the embedded one if needed.
 *
 * @throws AdminError if there is none.
 */
export async function locateServer(
  { databaseUrl, directUrl, dataDir }: StorageConfig,
  logger: Logger,
): Promise<LocatedServer> {
  if (databaseUrl && directUrl) await demandSameDatabase(databaseUrl, directUrl)
  const url = directUrl ?? databaseUrl
  if (url) return { url, stop: async () => {} }
  const running = findRunningServer(dataDir)
  if (running && (await answers(running))) return { url: running, stop: async () => {} }
  if (!existsSync(join(dataDir, 'postgres', 'cluster')))
    throw new AdminError(
      `There is no database in ${dataDir}: start the service once, or set DATA_DIR or DATABASE_URL as it has them`,
    )
  return startEmbeddedPostgres({ dataDir, logger })
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
