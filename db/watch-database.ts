import type { DatabasePool } from 'slonik'
import { z } from 'zod'
import { sql } from './connect-database.ts'
import { hasCause, isDatabaseLost, isDiskFull, readMetFaults } from './database-faults.ts'

const PATIENCE_MS = 2_000
const MOST_TRAVEL_MS = 1_000
/** A full disk counts for this long after the last statement that failed by it. */
const FULL_FOR_MS = 10_000

/** Why the database accepts no writes now, in words without server names, which anybody may read. */
export interface DatabaseProblem {
  code: 'DATABASE_DOWN' | 'DATABASE_FULL'
  detail: string
}

/** Watches whether the database accepts writes. */
export interface DatabaseWatch {
  /**
   * Writes to the database, unless the last probe is younger than `maxAgeMs`. Answers within two seconds. Commits that wait
   * for a synchronous standby for so long are a problem.
   * @returns Null while the database accepts writes.
   */
  check(maxAgeMs: number): Promise<DatabaseProblem | null>
  /** Milliseconds that the local clock is ahead of the database's; null before the first answer. */
  clockAheadMs(): number | null
}

const stateRow = z.object({ isWaiting: z.boolean(), isReadOnly: z.boolean(), now: z.number() })

/** Opens the watch over a pool. It also learns from the failures of all other statements. */
export function watchDatabase(pool: DatabasePool): DatabaseWatch {
  let aheadMs: number | null = null
  let fullAt = -Infinity
  let probing: Promise<DatabaseProblem | null> | null = null
  let last: { at: number; problem: DatabaseProblem | null } | null = null

  async function probe(): Promise<DatabaseProblem | null> {
    const askedAt = Date.now()
    try {
      const { isWaiting, isReadOnly, now } = await pool.one(sql.type(stateRow)`
        select exists (
            select from pg_stat_activity where datname = current_database() and wait_event = 'SyncRep'
              and state_change < now() - ${PATIENCE_MS} * interval '1 ms'
          ) as "isWaiting",
          current_setting('transaction_read_only') = 'on' as "isReadOnly",
          extract(epoch from clock_timestamp())::float8 * 1000 as now`)
      const answeredAt = Date.now()
      // A slow answer says little about the clocks.
      if (answeredAt - askedAt < MOST_TRAVEL_MS) aheadMs = Math.round((askedAt + answeredAt) / 2 - now)
      if (isWaiting) return down('commits wait for a synchronous standby')
      if (isReadOnly) return down('no server that takes writes')
      await writeProbe(pool)
      return null
    } catch (error) {
      if (isDiskFull(error)) fullAt = performance.now()
      else return down(nameFailure(error))
    }
    return null
  }

  async function check(): Promise<DatabaseProblem | null> {
    const { promise: late, resolve } = Promise.withResolvers<DatabaseProblem>()
    const timer = setTimeout(() => resolve(down(`no answer within ${PATIENCE_MS} ms`)), PATIENCE_MS)
    probing ??= probe().finally(() => (probing = null))
    const problem = await Promise.race([probing, late]).finally(() => clearTimeout(timer))
    const isFull = performance.now() - Math.max(fullAt, readMetFaults(pool).fullAt) < FULL_FOR_MS
    const found =
      problem ?? (isFull ? ({ code: 'DATABASE_FULL', detail: 'no space left on its disk' } as const) : null)
    last = { at: performance.now(), problem: found }
    return found
  }

  return {
    async check(maxAgeMs) {
      const { fullAt: metFullAt, lostAt } = readMetFaults(pool)
      const isYoung = last !== null && performance.now() - last.at < maxAgeMs
      // A fault that another statement met since then is news.
      return last && isYoung && last.at > Math.max(metFullAt, lostAt) ? last.problem : check()
    },
    clockAheadMs: () => aheadMs,
  }
}

/** Writes to the WAL, and more to a temporary file than memory may hold: both need room on the disk. No row remains. */
const writeProbe = (pool: DatabasePool) =>
  pool.transaction(async (transaction) => {
    await transaction.query(sql.typeAlias('void')`set local work_mem = '64kB'`)
    await transaction.query(sql.type(z.object({ rows: z.number(), place: z.string() }))`
      select count(*)::int4 as rows, pg_logical_emit_message(true, 'write-probe', '')::text as place
      from generate_series(1, 4000)`)
  })

const down = (detail: string): DatabaseProblem => ({ code: 'DATABASE_DOWN', detail })

const nameFailure = (error: unknown) =>
  hasCause(error, (cause) => cause instanceof Error && cause.message.includes('takes no writes'))
    ? 'no server that takes writes'
    : isDatabaseLost(error)
      ? 'no connection'
      : 'it refuses writes'
