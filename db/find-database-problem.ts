import type { DatabasePool } from 'slonik'
import { z } from 'zod'
import { sql } from './connect-database.ts'

const PATIENCE_MS = 2_000

const waitRow = z.object({ isWaiting: z.boolean() })

/**
 * Returns why the database accepts no writes now, in words without server names, which anybody may read; the log has
 * the details. Null while it accepts writes. Commits that wait for a synchronous standby count after two seconds.
 */
export async function findDatabaseProblem(pool: DatabasePool): Promise<string | null> {
  const asked = pool.one(sql.type(waitRow)`
    select exists (
      select from pg_stat_activity where datname = current_database() and wait_event = 'SyncRep'
        and state_change < now() - ${PATIENCE_MS} * interval '1 ms'
    ) as "isWaiting"`)
  const answer = asked.then(
    ({ isWaiting }) => (isWaiting ? 'commits wait for a synchronous standby' : null),
    (error: unknown) =>
      error instanceof Error && error.message.includes('takes no writes')
        ? 'no server that takes writes'
        : 'no connection',
  )
  const { promise: late, resolve } = Promise.withResolvers<string>()
  const timer = setTimeout(() => resolve(`no answer within ${PATIENCE_MS} ms`), PATIENCE_MS)
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
