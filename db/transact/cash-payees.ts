import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { byAccount } from '../account-table.ts'
import { sql } from '../connect-database.ts'
import type { SealedColumn } from '../sealed-column.ts'

/** How an account's erasure and export treat the table. */
export const cashPayeeTable = byAccount('cash_payee', ['sealed', 'master_key_id'])

/** Rewrapped under a new master key by rewrap-keys. */
export const sealedPayee: SealedColumn = {
  table: 'cash_payee',
  key: 'quote_id',
  bytes: 'sealed',
  about: sql.fragment`account_id::text`,
}

const payeeRow = z.object({ bytes: z.instanceof(Buffer), masterKeyId: z.string() })
/** The payee's sealed handle. */
export type PayeeRow = z.output<typeof payeeRow>

/**
 * Writes the payee of a quote, in the transaction that writes the quote. The database erases it when the quote ends
 * without a deposit, and when its order has ended.
 */
export async function insertCashPayee(
  transaction: CommonQueryMethods,
  { quoteId, accountId }: { quoteId: string; accountId: string },
  { bytes, masterKeyId, toldCashOuts }: PayeeRow & { toldCashOuts: number },
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    insert into cash_payee (quote_id, account_id, sealed, master_key_id, told_cash_outs)
    values (${quoteId}::uuid, ${accountId}::uuid, ${sql.binary(bytes)}, ${masterKeyId}, ${toldCashOuts})`)
}

/** The number of cash-outs to the same payee that a quote disclosed; null once erased. */
export function readToldCashOuts(connection: CommonQueryMethods, quoteId: string): Promise<number | null> {
  return connection.maybeOneFirst(sql.type(z.object({ told: z.int() }))`
    select told_cash_outs as told from cash_payee where quote_id = ${quoteId}::uuid`)
}

/** The payee of an account's quote; null once erased. */
export function findCashPayee(
  connection: CommonQueryMethods,
  accountId: string,
  quoteId: string,
): Promise<PayeeRow | null> {
  return connection.maybeOne(sql.type(payeeRow)`
    select sealed as bytes, master_key_id as "masterKeyId" from cash_payee
    where quote_id = ${quoteId}::uuid and account_id = ${accountId}::uuid`)
}

/** Lists the payees of an account's quotes that have not ended. */
export function listCashPayees(
  connection: CommonQueryMethods,
  accountId: string,
): Promise<readonly (PayeeRow & { quoteId: string })[]> {
  return connection.any(sql.type(payeeRow.extend({ quoteId: z.string() }))`
    select quote_id as "quoteId", sealed as bytes, master_key_id as "masterKeyId" from cash_payee
    where account_id = ${accountId}::uuid order by quote_id`)
}
