import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { byQuote } from '../account-table.ts'
import { sql } from '../connect-database.ts'
import { endedQuote } from './intents-end.ts'

/** How an account's erasure and export treat the table. */
export const unbookedEarningTable = byQuote('unbooked_earning')

/** A service fee whose referrer's share could not be booked. */
export interface NewUnbookedEarning {
  quoteId: string
  /** Smallest unit of the quote's token. */
  serviceFee: bigint
  /** Millionths of a dollar; null where the fee had no price. */
  serviceFeeUsdMicros: bigint | null
  /** Reason of the failure, without values. */
  reason: string
  /** Delay until the next attempt. */
  delayMs: number
}

/** Records a share that could not be booked, in the transaction that ends its quote. */
export async function insertUnbookedEarning(
  transaction: CommonQueryMethods,
  { quoteId, serviceFee, serviceFeeUsdMicros, reason, delayMs }: NewUnbookedEarning,
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    insert into unbooked_earning (quote_id, service_fee, service_fee_usd_micros, reason, next_at)
    values (${quoteId}::uuid, ${serviceFee}, ${serviceFeeUsdMicros}, ${reason},
      now() + ${delayMs} * interval '1 ms')
    on conflict (quote_id) do nothing`)
}

/** Lists the quotes whose shares are due for a retry, longest wait first. */
export function listDueEarnings(connection: CommonQueryMethods, limit: number): Promise<readonly string[]> {
  return connection.anyFirst(sql.type(z.object({ quoteId: z.string() }))`
    select quote_id as "quoteId" from unbooked_earning where next_at <= now() order by next_at limit ${limit}`)
}

const dueRow = endedQuote.omit({ feeListed: true })

/** Removes a due share from the table, in the transaction that books it; null where another instance has it. */
export function takeDueEarning(
  transaction: CommonQueryMethods,
  quoteId: string,
): Promise<z.output<typeof dueRow> | null> {
  return transaction.maybeOne(sql.type(dueRow)`
    with taken as (
      delete from unbooked_earning where quote_id in (
        select quote_id from unbooked_earning where quote_id = ${quoteId}::uuid and next_at <= now()
        for update skip locked)
      returning quote_id, service_fee, service_fee_usd_micros
    )
    select quote.id as "quoteId", account_id as "accountId", chain_id as "chainId", token,
      taken.service_fee as "serviceFee", taken.service_fee_usd_micros as "serviceFeeUsdMicros"
    from taken join quote on quote.id = quote_id`)
}

/** Postpones the next attempt; each delay is twice the last, up to `mostMs`. */
export async function postponeEarning(
  connection: CommonQueryMethods,
  quoteId: string,
  { reason, delayMs, mostMs }: { reason: string; delayMs: number; mostMs: number },
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    update unbooked_earning set attempts = attempts + 1, reason = ${reason},
      next_at = now() + least(${mostMs}, ${delayMs} * 2 ^ least(attempts, 30)) * interval '1 ms'
    where quote_id = ${quoteId}::uuid`)
}
