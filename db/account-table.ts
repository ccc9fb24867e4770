import type { FragmentSqlToken } from 'slonik'
import { sql } from './connect-database.ts'

/** How erasure and export treat a table's rows about an account. Declared beside the table's store. */
export interface AccountTable {
  table: string
  /** Condition of the rows that are about the account; absent where no column identifies them. */
  own?(accountId: string): FragmentSqlToken
  /** Condition of those rows that are about another account as well: erasure leaves them. */
  shared?(accountId: string): FragmentSqlToken
  /** Reason why erasure deletes nothing here: a foreign key cascades or sets null, or the rows belong to no account. */
  kept?: string
  /** Columns that an export leaves out: secrets, and values without a meaning outside. */
  omit?: readonly string[]
}

/** The addresses of an account, as a subquery. */
export const addressesOf = (accountId: string) =>
  sql.fragment`(select address from stealth_address where account_id = ${accountId})`

/** The addresses of all other accounts, as a subquery. */
export const addressesOfOthers = (accountId: string) =>
  sql.fragment`(select address from stealth_address where account_id <> ${accountId})`

/** A table whose `account_id` names the owner of a row. */
export const byAccount = (table: string, omit: readonly string[] = []): AccountTable => ({
  table,
  own: (accountId) => sql.fragment`account_id = ${accountId}`,
  omit,
})

/** A table whose rows belong to the owner of the address in one column. */
export const byAddress = (table: string, column = 'address'): AccountTable => ({
  table,
  own: (accountId) => sql.fragment`${sql.identifier([column])} in ${addressesOf(accountId)}`,
})

/** A table whose `quote_id` is a quote of the account. */
export const byQuote = (table: string, omit: readonly string[] = []): AccountTable => ({
  table,
  own: (accountId) => sql.fragment`quote_id in (select id from quote where account_id = ${accountId})`,
  omit,
})

/** A table with addresses or accounts of which nothing is deleted or exported; `kept` gives the reason. */
export const keepRows = (table: string, kept: string): AccountTable => ({ table, kept })
