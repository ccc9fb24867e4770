import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { smallInteger } from '../column-types.ts'
import { sql } from '../connect-database.ts'

const count = z.bigint().transform(Number)
const countRow = z.object({
  chainId: smallInteger,
  phase: z.enum(['depositing', 'bridging', 'listed', 'matched', 'partially_filled']),
  orders: count,
  unseen: count,
  oldestMs: count,
})
/** Open cash-outs of a chain in one phase, those whose deposit was never seen, and the age of the oldest. */
export type OpenCashCount = z.output<typeof countRow>

/**
 * Counts the cash-outs that have not ended, by chain and phase, from the index of open ones.
 *
 * @param graceSeconds Time after its quote's confirmation by which a deposit on the same chain is certainly indexed.
 */
export function countOpenCash(
  connection: CommonQueryMethods,
  graceSeconds: number,
): Promise<readonly OpenCashCount[]> {
  return connection.any(sql.type(countRow)`
    select cash_order.chain_id as "chainId", phase, count(*) as orders,
      count(*) filter (where phase = 'depositing' and exists (
        select from quote where quote.id = quote_id and quote.status = 'confirmed'
          and quote.chain_id = cash_order.chain_id
          and quote.ended_at < now() - ${graceSeconds} * interval '1 second'
      )) as unseen,
      (extract(epoch from now() - min(cash_order.created_at)) * 1000)::int8 as "oldestMs"
    from cash_order where cash_order.ended_at is null group by 1, 2 order by 1, 2`)
}
