import type { DatabasePool, DatabaseTransactionConnection } from 'slonik'
import { expect } from 'vitest'
import { z } from 'zod'
import { sql } from '../../db/connect-database.ts'

/** A transaction that has executed statements and stays open until the test ends it, like one of another instance. */
export async function holdTransaction<Result>(
  pool: DatabasePool,
  work: (transaction: DatabaseTransactionConnection) => Promise<Result>,
): Promise<{ result: Result; commit(): Promise<void> }> {
  const { promise: told, resolve: tell } = Promise.withResolvers<void>()
  const { promise: done, resolve, reject } = Promise.withResolvers<Result>()
  const ended = pool.transaction(async (transaction) => {
    resolve(await work(transaction))
    await told
  })
  ended.catch(reject)
  return {
    result: await done,
    async commit() {
      tell()
      await ended
    },
  }
}

/** How many statements in the pool's database wait for locks of others. */
export const countWaiting = (pool: DatabasePool): Promise<number> =>
  pool.oneFirst(sql.type(z.object({ waiting: z.int() }))`
    select count(*)::int4 as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)

/** Resolves once this many of them wait. */
export async function untilSomebodyWaits(pool: DatabasePool, howMany = 1): Promise<void> {
  await expect.poll(() => countWaiting(pool)).toBeGreaterThanOrEqual(howMany)
}
