/** How the text of an environment variable becomes a member of the configuration. */
export interface EnvironmentVariable {
  path: readonly [string, ...string[]]
  read(text: string): unknown
  help: string
}

const text = (value: string) => value
/** What is not a number stays text, so that the complaint shows what was written. */
const number = (value: string) =>
  value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value
/** Every variable that the service reads, besides CONFIG, which names a JSON file with the same members. */
export const ENVIRONMENT: Readonly<Record<string, EnvironmentVariable>> = {
  PORT: { path: ['port'], read: number, help: 'port of the HTTP server; 0 takes a free one' },
  HOST: { path: ['host'], read: text, help: 'address to listen on; 0.0.0.0 for all' },
  LOG_LEVEL: { path: ['logLevel'], read: text, help: 'trace, debug, info, warn, error, fatal or silent' },
  DATA_DIR: { path: ['storage', 'dataDir'], read: text, help: 'folder for everything on disk' },
  DATABASE_URL: {
    path: ['storage', 'databaseUrl'],
    read: text,
    help: 'a PostgreSQL server; else one is started',
  },
  REDIS_URL: { path: ['storage', 'redisUrl'], read: text, help: 'a Redis server; else memory is used' },
  ...Object.fromEntries(
    Object.entries({
      DEVNET_CHAIN_IDS: 'ids of the local chains, as 31337,31338',
      DEVNET_PORTS: 'their RPC ports; a taken one is replaced by a free one',
      DEVNET_GENESIS_BLOCKS: 'their first block numbers',
      DEVNET_BLOCK_TIME: 'seconds between blocks; 0 mines at once',
      DEVNET_DETERMINISTIC: 'true for fixed timestamps and gas price',
      ASP_DELAY_SECONDS: 'time until a deposit is approved',
      ASP_PORT: 'port of the local ASP; 0 takes a free one',
      ASP_DECLINE: 'depositors that the local ASP declines',
    }).map(([name, help]) => [name, { path: ['devnet', name] as const, read: text, help }]),
  ),
}
