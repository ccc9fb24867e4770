import type { DatabasePool, DatabaseTransactionConnection, QuerySqlToken } from 'slonik'
import { sql } from '../../db/connect-database.ts'
import { holdTransaction, untilSomebodyWaits } from './hold-transaction.ts'

/** Rows, as a query selects them. */
type Rows = ReturnType<typeof sql.fragment>

/**
 * Expects that work that waits for some rows has not locked others before: a holder of the former can lock the latter
 * at once. Resolves with the result of the work.
 * @param rows `first` are those that the work waits for, `later` those that it must not have by then.
 */
export async function expectLockOrder<Result>(
  pool: DatabasePool,
  rows: { first: Rows; later: Rows },
  work: () => Promise<Result>,
): Promise<Result> {
  const held = await holdTransaction(pool, async (transaction: DatabaseTransactionConnection) => {
    await transaction.query(run(sql.fragment`${rows.first} for update`))
    return transaction
  })
  const working = work()
  try {
    await untilSomebodyWaits(pool)
    await held.result.query(run(sql.fragment`${rows.later} for update nowait`))
  } finally {
    await Promise.allSettled([held.commit()])
    await Promise.allSettled([working])
  }
  return working
}

const run = (statement: Rows): QuerySqlToken => sql.typeAlias('void')`${statement}`
