import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { byAccount } from '../account-table.ts'
import { sql } from '../connect-database.ts'

/** How an account's erasure and export treat the table. */
export const dappCallTable = byAccount('dapp_call')

const dappCallRow = z.object({
  quoteId: z.string(),
  origin: z.string(),
  description: z.string().nullable(),
  /** Values are decimal digits. */
  calls: z.array(z.object({ to: z.string(), value: z.string(), data: z.string() })),
  /** True if the quote also delegates its address for the first time. */
  setsUp: z.boolean(),
})
/** The calls that an app requested by a quote. */
export type DappCallRow = z.output<typeof dappCallRow>

/** Writes the calls that a quote's app requested, in the transaction that writes the quote. */
export async function insertDappCall(
  transaction: CommonQueryMethods,
  accountId: string,
  { quoteId, origin, description, calls }: Omit<DappCallRow, 'setsUp'>,
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    insert into dapp_call (quote_id, account_id, origin, description, calls)
    values (${quoteId}::uuid, ${accountId}::uuid, ${origin}, ${description}, ${sql.jsonb(calls)})`)
}

/** Lists the calls that apps requested by these quotes, in no order. */
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
