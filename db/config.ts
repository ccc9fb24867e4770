import { z } from 'zod'
import { listServers } from './database-servers.ts'

const postgresUrl = z.string().refine((url) => listServers(url) !== null, {
  error: 'is not a PostgreSQL URL: write postgres://user:password@host:5432/database',
})

/** Storage settings: PostgreSQL, Redis and the data folder. */
export const storageConfig = z.strictObject({
  /** A PostgreSQL server; without it the service runs one of its own in `dataDir`. */
  databaseUrl: postgresUrl.optional(),
  /**
   * The same database without the pooler behind `databaseUrl`, for notifications and migrations, which need a session.
   * If set, `namedStatements` defaults to false.
   */
  directUrl: postgresUrl.optional(),
  /** Whether statements that run often are prepared on each connection. */
  namedStatements: z.boolean().optional(),
  /** A Redis server, which several instances of the service need to share caches and events. */
  redisUrl: z
    .url({
      protocol: /^rediss?$/,
      error: 'is not a Redis URL: write redis://user:password@host:6379/0, or rediss:// for TLS',
    })
    .optional(),
  /** Folder for everything on disk, relative to the working directory. */
  dataDir: z.string().min(1, 'is empty: name a folder').default('.data'),
})

/** The storage settings after parsing, defaults filled in. */
export type StorageConfig = z.output<typeof storageConfig>
