import pg from 'pg'

/** The service cannot start with this database; the message says what to change. */
export class UnusableDatabaseError extends Error {
  override name = 'UnusableDatabaseError'
}

/** Parts of a database URL: `//user:password@`, then hosts, then path and options. */
const SHAPE = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)([^#]*)$/

/**
 * Splits a PostgreSQL URL into one URL per server. As for libpq, it may name several, a primary and its standbys:
 * `postgres://user:password@one:5432,two:5432/database`. `target_session_attrs` is dropped: the writable server is
 * always the one used.
 * @returns Null for a malformed URL.
 */
export function listServers(url: string): readonly string[] | null {
  const [, before, hosts = '', after = ''] = SHAPE.exec(url) ?? []
  if (before === undefined) return null
  const rest = after.replace(/([?&])target_session_attrs=[^&]*(&|$)/, (_, first: string, last: string) =>
    last === '&' ? first : '',
  )
  const servers = hosts.split(',').map((host) => `${before}${host}${rest}`)
  return servers.every((server) => URL.canParse(server)) ? servers : null
}

/** The same. @throws Error for a malformed URL. */
export function demandServers(url: string): readonly [string, ...string[]] {
  const [first, ...more] = listServers(url) ?? []
  if (first === undefined) throw new Error('that is not the URL of a PostgreSQL server')
  return [first, ...more]
}

/** Hosts, ports and database of a PostgreSQL URL, without its credentials. */
export function describeServer(url: string): string {
  const servers = demandServers(url).map((server) => new URL(server))
  return `${servers.map(({ host }) => decodeURIComponent(host)).join(', ')}${servers[0]?.pathname ?? ''}`
}

/** Formats the error of a failed connection with server and reason; adds advice where a pooler refuses session settings. */
export function connectionError(url: string, cause: unknown): Error {
  const reason = reasonOf(cause)
  const advice = reason.includes('unsupported startup parameter')
    ? '. This is a pooler: set DATABASE_DIRECT_URL to the server behind it as well, as OPERATING.md says'
    : ''
  return new UnusableDatabaseError(
    `Cannot connect to PostgreSQL at ${describeServer(url)}: ${reason}${advice}`,
    { cause },
  )
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/** Query for whether a server is read-only: a standby, or a primary made so. */
export const READ_ONLY = 'show transaction_read_only'

/**
 * Tries servers in turn until one opens.
 * @param open Opens a connection; rejects if the server does not serve.
 * @param from Index of the server to try first.
 * @throws AggregateError with each server's failure, when none opens.
 */
export async function openFirst<Opened>(
  servers: readonly string[],
  open: (server: string) => Promise<Opened>,
  from = 0,
): Promise<{ opened: Opened; place: number }> {
  const failures: Error[] = []
  for (const [turn] of servers.entries()) {
    const place = (from + turn) % servers.length
    const server = servers[place]!
    try {
      return { opened: await open(server), place }
    } catch (error) {
      const { host } = new URL(server)
      failures.push(
        servers.length > 1 ? new Error(`${decodeURIComponent(host)}: ${reasonOf(error)}`) : (error as Error),
      )
    }
  }
  if (failures.length === 1) throw failures[0]
  throw new AggregateError(failures, failures.map(({ message }) => message).join('; '))
}

/** Opens a dedicated session with the writable server. @throws Error when there is none. */
export async function openSession(url: string): Promise<pg.Client> {
  const servers = demandServers(url)
  const { opened } = await openFirst(servers, async (server) => {
    const client = new pg.Client({
      connectionString: server,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    })
    // Callers detect a lost session themselves; without a listener the error would also end the process.
    client.on('error', () => {})
    await client.connect()
    if (servers.length > 1) await demandWritable(client)
    return client
  })
  return opened
}

async function demandWritable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>(READ_ONLY)
  if (rows[0]?.transaction_read_only === 'off') return
  await client.end()
  throw new Error('it takes no writes')
}

/**
 * Compares the database behind a pooler with the one that is reached without it.
 * @throws UnusableDatabaseError where they are not the same.
 */
export async function demandSameDatabase(pooledUrl: string, directUrl: string): Promise<void> {
  const [pooled, direct] = await Promise.all([pooledUrl, directUrl].map(identify))
  if (pooled === direct) return
  throw new UnusableDatabaseError(
    `DATABASE_URL leads to ${describeServer(pooledUrl)}, and DATABASE_DIRECT_URL to another database at ` +
      `${describeServer(directUrl)}: change both together`,
  )
}

/** Names the running server and its database, as every role may. */
async function identify(url: string): Promise<string> {
  const client = await openSession(url).catch((cause: unknown) => {
    throw connectionError(url, cause)
  })
  try {
    const { rows } = await client.query<{ identity: string }>(
      `select pg_postmaster_start_time() || ' ' || current_database() as identity`,
    )
    return rows[0]?.identity ?? ''
  } finally {
    await client.end()
  }
}
