import { z } from 'zod'
import { listServers } from './database-servers.ts'

const postgresUrl = z.string().refine((url) => listServers(url) !== null, {
  error: 'is not a PostgreSQL URL: write postgres://user:password@host:5432/database',
})

/** Storage settings: PostgreSQL, Redis and the data folder. */
export const storageConfig = z.strictObject({
  databaseUrl: postgresUrl
    .optional()
    .describe(
      'A PostgreSQL server, `postgres://user:password@host:5432/database`, or several of one cluster. ' +
        'Without it the service runs one of its own in `dataDir`. `sslmode=require` verifies ' +
        'certificate and name.',
    ),
  directUrl: postgresUrl
    .optional()
    .describe(
      'The same database without the pooler behind `databaseUrl`, for notifications and migrations, ' +
        'which need a session. If set, `namedStatements` defaults to false.',
    ),
  namedStatements: z
    .boolean()
    .optional()
    .describe(
      'Whether statements that run often are prepared on each connection. Default: true, and false ' +
        'with `directUrl`.',
    ),
  redisUrl: z
    .url({
      protocol: /^rediss?$/,
      error: 'is not a Redis URL: write redis://user:password@host:6379/0, or rediss:// for TLS',
    })
    .optional()
    .describe(
      'A Redis server, `redis://user:password@host:6379/0` or `rediss://` for TLS, which several ' +
        'instances of the service need to share caches and events. Without it memory is used.',
    ),
  dataDir: z
    .string()
    .min(1, 'is empty: name a folder')
    .default('.data')
    .describe('Folder for everything on disk, relative to the working directory.'),
})

/** The storage settings after parsing, defaults filled in. */
export type StorageConfig = z.output<typeof storageConfig>
