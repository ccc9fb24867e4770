import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { smallInteger } from '../column-types.ts'
import { sql } from '../connect-database.ts'

const count = z.bigint().transform(Number)
const route = { originChainId: smallInteger, destinationChainId: smallInteger }
const openStatus = z.enum(['pending', 'confirmed_source', 'expired'])

const countRow = z.object({ ...route, status: openStatus, orders: count, overdue: count })
/** Open orders of a route with one status, and those of them past their deadline. */
export type OpenOrderCount = z.output<typeof countRow>

const openRow = z.object({
  quoteId: z.string(),
  ...route,
  status: openStatus,
  isOverdue: z.boolean(),
  /** Milliseconds since its submission. */
  ageMs: count,
  /** Seconds since 1970. */
  fillDeadline: smallInteger,
})
/** An order that has not ended, without address, token or amount: those would identify its owner. */
export type OpenOrder = z.output<typeof openRow>

/** Expired by the chain, or by this server's clock in case the chain stands still or is no longer indexed. */
const isOverdue = (graceSeconds: number) => sql.fragment`
  (status = 'expired' or fill_deadline < extract(epoch from now()) - ${graceSeconds}::int)`

/** Counts the orders that have not ended, by route and status, from the index of open orders. */
export function countOpenOrders(
  connection: CommonQueryMethods,
  graceSeconds: number,
): Promise<readonly OpenOrderCount[]> {
  return connection.any(sql.type(countRow)`
    select origin_chain_id as "originChainId", destination_chain_id as "destinationChainId", status,
      count(*) as orders, count(*) filter (where ${isOverdue(graceSeconds)}) as overdue
    from bridge_order where ended_at is null group by 1, 2, 3 order by 1, 2, 3`)
}

/** Lists the orders that have not ended, oldest first. */
export function listOldestOrders(
  connection: CommonQueryMethods,
  { graceSeconds, limit }: { graceSeconds: number; limit: number },
): Promise<readonly OpenOrder[]> {
  return connection.any(sql.type(openRow)`
    select quote_id as "quoteId", origin_chain_id as "originChainId", destination_chain_id as "destinationChainId",
      status, ${isOverdue(graceSeconds)} as "isOverdue", fill_deadline as "fillDeadline",
      (extract(epoch from now() - created_at) * 1000)::int8 as "ageMs"
    from bridge_order where ended_at is null order by created_at limit ${limit}`)
}

const fillRow = z.object({ ...route, fills: count, medianMs: smallInteger })
/** Orders of a route that were filled within the last hour, and the median time from deposit to fill. */
export type RecentFills = z.output<typeof fillRow>

/** Reads the recent duration of fills, by route; a route without any is absent. */
export function readRecentFills(connection: CommonQueryMethods): Promise<readonly RecentFills[]> {
  return connection.any(sql.type(fillRow)`
    select origin_chain_id as "originChainId", destination_chain_id as "destinationChainId", count(*) as fills,
      (extract(epoch from percentile_disc(0.5) within group (
        order by greatest(fill_seen_at - deposit_seen_at, interval '0'))) * 1000)::int8 as "medianMs"
    from bridge_order
    where fill_seen_at > now() - interval '1 hour' and deposit_seen_at is not null group by 1, 2 order by 1, 2`)
}

const cashRow = z.object({
  chainId: smallInteger,
  phase: z.enum(['depositing', 'bridging', 'listed', 'matched', 'partially_filled']),
  orders: count,
  unseen: count,
  oldestMs: count,
})
/** Open cash-outs of a chain in one phase, those whose deposit was never seen, and the age of the oldest. */
export type OpenCashCount = z.output<typeof cashRow>

/**
 * Counts the cash-outs that have not ended, by chain and phase, from the index of open ones.
 *
 * @param graceSeconds Time after its quote's confirmation by which a deposit on the same chain is certainly indexed.
 */
export function countOpenCash(
  connection: CommonQueryMethods,
  graceSeconds: number,
): Promise<readonly OpenCashCount[]> {
  return connection.any(sql.type(cashRow)`
    select cash_order.chain_id as "chainId", phase, count(*) as orders,
      count(*) filter (where phase = 'depositing' and exists (
        select from quote where quote.id = quote_id and quote.status = 'confirmed'
          and quote.chain_id = cash_order.chain_id
          and quote.ended_at < now() - ${graceSeconds} * interval '1 second'
      )) as unseen,
      (extract(epoch from now() - min(cash_order.created_at)) * 1000)::int8 as "oldestMs"
    from cash_order where cash_order.ended_at is null group by 1, 2 order by 1, 2`)
}
