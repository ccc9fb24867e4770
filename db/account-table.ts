import type { FragmentSqlToken } from 'slonik'
import { sql } from './connect-database.ts'

/** What becomes of a table's rows about an account when it is deleted or exported. Declared beside the table's store. */
export interface AccountTable {
  table: string
  /** Condition of the rows that are about the account; absent where nothing tells which are. */
  own?(accountId: string): FragmentSqlToken
  /** Condition of those among them that are about another account as well: they stay. */
  shared?(accountId: string): FragmentSqlToken
  /** Why nothing is deleted here: the account's row takes them along or lets go of them, or they are no one's. */
  kept?: string
  /** Columns that an export leaves out: secrets, and what means nothing outside. */
  omit?: readonly string[]
}

/** The addresses of an account, as a subquery. */
export const addressesOf = (accountId: string) =>
  sql.fragment`(select address from stealth_address where account_id = ${accountId})`

/** The addresses of all other accounts, as a subquery. */
export const addressesOfOthers = (accountId: string) =>
  sql.fragment`(select address from stealth_address where account_id <> ${accountId})`

/** A table whose `account_id` says whose a row is. */
export const byAccount = (table: string, omit: readonly string[] = []): AccountTable => ({
  table,
  own: (accountId) => sql.fragment`account_id = ${accountId}`,
  omit,
})

/** A table in which an address of the account says so. */
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

/** A table with addresses or accounts of which nothing is deleted or exported, and why. */
export const keepRows = (table: string, kept: string): AccountTable => ({ table, kept })
