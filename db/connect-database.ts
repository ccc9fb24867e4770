import type { Logger } from 'pino'
import {
  createPool,
  createSqlTag,
  SlonikError,
  type DatabasePool,
  type DriverTypeParser,
  SchemaValidationError,
  type Interceptor,
  type QueryResultRow,
} from 'slonik'
import { z } from 'zod'
import { connectionError, demandServers } from './database-servers.ts'
import { createFaultMemory, isDatabaseLost } from './database-faults.ts'
import { createConnectionDivider, type InTurn } from './divide-connections.ts'
import { createPrimaryDriver } from './follow-primary.ts'
import { createStatementObserver } from './observe-statements.ts'
import { createStackedDriver } from './stack-connections.ts'
import { createWriteRefusal } from './refuse-writes.ts'

/**
 * Writes a query. Rows are checked and shaped by the zod object:
 *
 *     await pool.any(sql.type(z.object({ id: z.string(), amount: z.bigint() }))`
 *       select id, amount from relay_request where chain_id = ${chainId}
 *     `)
 *
 * ``sql.typeAlias('void')`…` `` is for statements that return no rows. numeric and int8 arrive as bigint (so
 * `count(*)` does, unless cast to int4), timestamptz as Date, bytea as Buffer, jsonb parsed. Write a Date as
 * `sql.timestamp(date)` and bytes as `sql.binary(buffer)`; a bigint goes in as it is.
 */
export const sql = createSqlTag({ typeAliases: { void: z.strictObject({}) } })

/** One warning of a lost connection says enough for this long. */
const REPORT_EVERY_MS = 60_000

/**
 * Opens a pool of connections and checks that the server answers. End it with `pool.end()`. If the URL names several
 * servers, the writable one is used (database-servers.ts).
 *
 * Connections are not reset between users (a reset costs a third of the throughput and drops prepared statements): use
 * `set local` and `pg_advisory_xact_lock`, never their session-wide forms. The body of `pool.transaction` runs again
 * after a serialization failure, so it must have no effects outside the database. TLS follows the URL's `sslmode`; for
 * an authority of your own, name its file in NODE_EXTRA_CA_CERTS.
 * @throws Error naming the server, when it cannot be reached or refuses the login.
 *
 * @example
 * ```ts
 * const pool = await connectDatabase(url, { maxPoolSize: 5 })
 * await pool.end()
 * ```
 */
export async function connectDatabase(
  url: string,
  options: {
    /** Most connections open at once; default 10. The work of one account (divide-connections.ts) gets half of them. */
    maxPoolSize?: number
    /** Queues the work of accounts, so that one client's work leaves connections to others. */
    inTurn?: InTurn
    /**
     * True if a pooler assigns each transaction another session of the server. Time limits and the planning mode are then
     * the server's own.
     */
    isPooled?: boolean
    /** Whether statements that run often are prepared on each connection; default true. */
    namedStatements?: boolean
    /** Receives a warning when the server ended an idle connection; the pool replaces it by itself. */
    logger?: Logger
  } = {},
): Promise<DatabasePool> {
  const { isPooled = false, namedStatements = true } = options
  const spelt = spellSslModeForSlonik(url)
  const servers = demandServers(isPooled ? spelt : askForQuickPlans(spelt))
  const maxPoolSize = options.maxPoolSize ?? 10
  const memory = createFaultMemory()
  const dividing = createConnectionDivider(Math.ceil(maxPoolSize / 2), () => pool, options.inTurn)
  const pool = await createPool(servers[0], {
    maxPoolSize,
    idleTimeout: 60_000,
    driverFactory: createStackedDriver(),
    typeParsers: columnParsers,
    interceptors: [
      dividing,
      createWriteRefusal(),
      ...(namedStatements ? [createStatementNames()] : []),
      validateRows,
      memory.interceptor,
      createStatementObserver(),
    ],
    resetConnection: async () => {},
    ...(servers.length > 1 && { driverFactory: createPrimaryDriver(servers, options.logger) }),
    // A pooler refuses settings of a session.
    ...(isPooled && {
      statementTimeout: 'DISABLE_TIMEOUT',
      idleInTransactionSessionTimeout: 'DISABLE_TIMEOUT',
    }),
  }).catch((cause: unknown) => {
    throw connectionError(url, cause)
  })
  memory.attach(pool)
  let reportedAt = -Infinity
  // Without a listener, an error on an idle connection ends the process. Failed statements arrive here too; their
  // callers log them.
  pool.on('error', (error) => {
    if (error instanceof SlonikError && !isDatabaseLost(error)) return
    const now = performance.now()
    if (now - reportedAt < REPORT_EVERY_MS) return
    reportedAt = now
    options.logger?.warn({ reason: error.message }, 'database connection lost')
  })
  return pool
}

/**
 * Forces one generic plan per statement and connection, without compilation, unless the URL sets options itself. By default
 * PostgreSQL plans a prepared statement for its actual parameters five times first, and compiles statements whose cost it
 * overestimates. Both take longer than running these statements.
 */
function askForQuickPlans(url: string): string {
  if (/[?&]options=/.test(url)) return url
  const options = '-c plan_cache_mode=force_generic_plan -c jit=off'
  return `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent(options)}`
}

/** slonik knows fewer modes; its `require` verifies both certificate and name. */
function spellSslModeForSlonik(url: string): string {
  return url.replace(/\bsslmode=verify-(full|ca)\b/, 'sslmode=require')
}

/**
 * Parsers for column types that pg would return lossily or as text: int8 and numeric become bigint. The rest use pg's
 * own parsers (timestamptz is a Date, bytea a Buffer, jsonb parsed).
 */
const columnParsers: readonly DriverTypeParser[] = [
  { name: 'int8', parse: BigInt },
  { name: 'numeric', parse: parseWholeNumeric },
  // pg would return midnight in the machine's time zone.
  { name: 'date', parse: (text) => text },
]

function parseWholeNumeric(text: string): bigint {
  if (!/^-?\d+$/.test(text)) {
    throw new RangeError(`numeric ${text} is not a whole number: cast it in the query, to text or float8`)
  }
  return BigInt(text)
}

/** Checks every row against the schema passed to `sql.type`; slonik alone trusts that schema. */
const validateRows: Interceptor = {
  name: 'validate-rows',
  transformRow: (context, query, row) => {
    if (!context.resultParser) return row
    const result = context.resultParser['~standard'].validate(row)
    if (result instanceof Promise) throw new TypeError('A row schema must be synchronous')
    if (result.issues) throw new SchemaValidationError(query, row, [...result.issues])
    return result.value as QueryResultRow
  },
}

/** Runs of a statement before it gets a name. */
const TRIALS = 3
/** Most prepared statements per connection: each takes some tens of kilobytes of the server's memory. */
const MAX_NAMES = 300
const MAX_COUNTED = 3_000

/**
 * Creates an interceptor that names frequent statements, so that PostgreSQL prepares each once per connection instead
 * of parsing and planning it anew. Statement texts come from the code and are few; a text built for one occasion is not
 * prepared.
 */
function createStatementNames(): Interceptor {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  let given = 0

  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known !== undefined || names.size >= MAX_NAMES) return known
    const count = (counts.get(text) ?? 0) + 1
    if (count <= TRIALS) {
      if (counts.size >= MAX_COUNTED) counts.clear()
      counts.set(text, count)
      return undefined
    }
    counts.delete(text)
    const name = `s${(given += 1)}`
    names.set(text, name)
    return name
  }

  return {
    name: 'name-statements',
    transformQuery(_, query) {
      const name = nameOf(query.sql)
      return name === undefined ? query : { ...query, name }
    },
    queryExecutionError(_, query, error) {
      // A newer version's migration changed the statement's result type: it is prepared again under another name.
      if (/cached plan must not change result type/.test(String(error.cause ?? error.message)))
        names.delete(query.sql)
      return null
    },
  }
}
