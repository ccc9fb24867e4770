/** Conversion of an environment variable's text to a member of the configuration. */
export interface EnvironmentVariable {
  path: readonly [string, ...string[]]
  read(text: string): unknown
  help: string
}

const text = (value: string) => value
/** Text that is not a number stays text, so that the error message shows it. */
const number = (value: string) =>
  value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value
const flag = (value: string) =>
  /^(1|true|yes)$/i.test(value) ? true : /^(0|false|no)$/i.test(value) ? false : value
const list = (value: string) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
const numbers = (value: string) => list(value).map(number)

/** Every variable that the service reads, except CONFIG, which names a JSON file with the same members. */
export const ENVIRONMENT: Readonly<Record<string, EnvironmentVariable>> = {
  PORT: { path: ['port'], read: number, help: 'port of the HTTP server; 0 takes a free one' },
  HOST: { path: ['host'], read: text, help: 'address to listen on; 0.0.0.0 for all' },
  OPERATOR_HOST: {
    path: ['operatorHost'],
    read: text,
    help: 'address of /, /metrics and /status.json where HOST is not loopback',
  },
  OPERATOR_PORT: { path: ['operatorPort'], read: number, help: 'their port there' },
  LOG_LEVEL: { path: ['logLevel'], read: text, help: 'trace, debug, info, warn, error, fatal or silent' },
  WALLET: { path: ['wallet'], read: flag, help: '1 serves the wallet at /wallet; the devnet does anyway' },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    path: ['tracing', 'endpoint'],
    read: text,
    help: 'OpenTelemetry collector that receives traces over HTTP; else nothing is traced',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    path: ['tracing', 'sampleRatio'],
    read: number,
    help: 'the part of the requests that is traced, 0 to 1',
  },
  DATA_DIR: { path: ['storage', 'dataDir'], read: text, help: 'folder for everything on disk' },
  DATABASE_URL: {
    path: ['storage', 'databaseUrl'],
    read: text,
    help: 'a PostgreSQL server; else one is started',
  },
  DATABASE_DIRECT_URL: {
    path: ['storage', 'directUrl'],
    read: text,
    help: 'the same database without the pooler that DATABASE_URL leads to',
  },
  REDIS_URL: { path: ['storage', 'redisUrl'], read: text, help: 'a Redis server; else memory is used' },
  MASTER_KEYS: {
    path: ['identity', 'masterKeys'],
    read: list,
    help: 'wrap the keys at rest: 32 bytes each in hex or base64, newest first; else one is stored in DATA_DIR',
  },
  SIGN_IN_DOMAINS: {
    path: ['identity', 'domains'],
    read: list,
    help: 'domains for signing in: app.example,localhost:*',
  },
  DEVNET_CHAIN_IDS: {
    path: ['devnet', 'chainIds'],
    read: numbers,
    help: 'ids of the local chains: 31337,31338',
  },
  DEVNET_PORTS: {
    path: ['devnet', 'ports'],
    read: numbers,
    help: 'their RPC ports; a busy one is replaced',
  },
  DEVNET_GENESIS_BLOCKS: {
    path: ['devnet', 'genesisBlocks'],
    read: numbers,
    help: 'their first block numbers',
  },
  DEVNET_BLOCK_TIME: {
    path: ['devnet', 'blockTime'],
    read: number,
    help: 'seconds between blocks; 0 mines at once',
  },
  DEVNET_DETERMINISTIC: {
    path: ['devnet', 'deterministic'],
    read: flag,
    help: 'fixed timestamps and gas price',
  },
  ASP_DELAY_SECONDS: {
    path: ['devnet', 'aspDelaySeconds'],
    read: number,
    help: 'time until a deposit is approved',
  },
  ASP_PORT: { path: ['devnet', 'aspPort'], read: number, help: 'port of the local ASP; 0 takes a free one' },
  ASP_DECLINE: { path: ['devnet', 'aspDecline'], read: list, help: 'depositors that the local ASP declines' },
  ACROSS_DELAY_SECONDS: {
    path: ['devnet', 'acrossDelaySeconds'],
    read: number,
    help: 'time until a bridged deposit is filled',
  },
  ACROSS_PORT: {
    path: ['devnet', 'acrossPort'],
    read: number,
    help: 'port of the filler of the local bridge; 0 takes a free one',
  },
  CASH_DELAY_SECONDS: {
    path: ['devnet', 'cashDelaySeconds'],
    read: number,
    help: 'time between what a buyer of the local escrow does and the next',
  },
  CASH_PORT: {
    path: ['devnet', 'cashPort'],
    read: number,
    help: 'port of the buyers and curator of the local escrow; 0 takes a free one',
  },
}
