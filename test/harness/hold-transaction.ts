import type { DatabasePool, DatabaseTransactionConnection } from 'slonik'
import { expect } from 'vitest'
import { z } from 'zod'
import { sql } from '../../db/connect-database.ts'

/** A transaction that has done something and does not end before it is told to, as another instance's may. */
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

/** Resolves once a statement in the pool's database, or so many, wait for others' locks. */
export async function untilSomebodyWaits(pool: DatabasePool, howMany = 1): Promise<void> {
  await expect
    .poll(() =>
      pool.oneFirst(sql.type(z.object({ waiting: z.int() }))`
        select count(*)::int4 as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`),
    )
    .toBeGreaterThanOrEqual(howMany)
}
