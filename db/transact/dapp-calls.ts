import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { byAccount } from '../account-table.ts'
import { sql } from '../connect-database.ts'

/** What an account's erasure and export make of it. */
export const dappCallTable = byAccount('dapp_call')

const dappCallRow = z.object({
  quoteId: z.string(),
  origin: z.string(),
  description: z.string().nullable(),
  /** The value in decimal digits. */
  calls: z.array(z.object({ to: z.string(), value: z.string(), data: z.string() })),
  /** The quote also delegates its address for the first time. */
  setsUp: z.boolean(),
})
/** What an app asked for by a quote. */
export type DappCallRow = z.output<typeof dappCallRow>

/** Writes what a quote's app asked for, in the transaction that writes the quote. */
export async function insertDappCall(
  transaction: CommonQueryMethods,
  accountId: string,
  { quoteId, origin, description, calls }: Omit<DappCallRow, 'setsUp'>,
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    insert into dapp_call (quote_id, account_id, origin, description, calls)
    values (${quoteId}::uuid, ${accountId}::uuid, ${origin}, ${description}, ${sql.jsonb(calls)})`)
}

/** What apps asked for by these quotes, in no order. */
export async function listDappCalls(
  connection: CommonQueryMethods,
  quoteIds: readonly string[],
): Promise<readonly DappCallRow[]> {
  if (quoteIds.length === 0) return []
  return connection.any(sql.type(dappCallRow)`
    select quote_id as "quoteId", origin, description, calls,
      coalesce(jsonb_array_length(quote.terms -> 'delegations'), 0) > 0 as "setsUp"
    from dapp_call join quote on quote.id = quote_id
    where quote_id = any(${sql.array([...quoteIds], 'uuid')})`)
}
