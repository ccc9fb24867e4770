import type { FragmentSqlToken } from 'slonik'
import { sql } from '../../connect-database.ts'

/** What becomes of the rows that are about an account when it is deleted. */
export interface AccountTable {
  table: string
  /** Condition of the rows that are about the account; absent where none can be told to be. */
  own?(accountId: string): FragmentSqlToken
  /** Condition of those among them that are about another account as well: they stay. */
  shared?(accountId: string): FragmentSqlToken
  /** Why nothing is deleted here: the account's row takes them along or lets go of them, or they are no one's. */
  kept?: string
  /** Columns that an export leaves out: secrets, and what means nothing outside. */
  omit?: readonly string[]
}

const addressesOf = (accountId: string) =>
  sql.fragment`(select address from stealth_address where account_id = ${accountId})`
const addressesOfOthers = (accountId: string) =>
  sql.fragment`(select address from stealth_address where account_id <> ${accountId})`
const quotesOf = (accountId: string) => sql.fragment`(select id from quote where account_id = ${accountId})`

const byAccount = (table: string, omit: readonly string[] = []): AccountTable => ({
  table,
  own: (accountId) => sql.fragment`account_id = ${accountId}`,
  omit,
})
const byAddress = (table: string, column = 'address'): AccountTable => ({
  table,
  own: (accountId) => sql.fragment`${sql.identifier([column])} in ${addressesOf(accountId)}`,
})
const byQuote = (table: string, omit: readonly string[] = []): AccountTable => ({
  table,
  own: (accountId) => sql.fragment`quote_id in ${quotesOf(accountId)}`,
  omit,
})
const keep = (table: string, kept: string): AccountTable => ({ table, kept })

/**
 * Every table that holds an account's id or addresses, in the order in which rows go: what is found through others before
 * those. Whoever adds such a table adds it here; a test compares this list with the database.
 */
export const ACCOUNT_TABLES: readonly AccountTable[] = [
  byQuote('intent', ['encoded']),
  // Of others it tells with whom they shared a transaction.
  byAccount('intent_batch_share', ['batch_id', 'quote_id']),
  byQuote('reservation'),
  byAccount('quote'),
  {
    table: 'transfer',
    own: (accountId) => sql.fragment`(from_address in ${addressesOf(accountId)}
      or to_address in ${addressesOf(accountId)})`,
    shared: (accountId) => sql.fragment`(from_address in ${addressesOfOthers(accountId)}
      or to_address in ${addressesOfOthers(accountId)})`,
  },
  {
    table: 'indexed_tx',
    own: (accountId) => sql.fragment`(chain_id, tx_hash) in (
      select chain_id, tx_hash from address_tx where address in ${addressesOf(accountId)})`,
    shared: (accountId) => sql.fragment`(chain_id, tx_hash) in (
      select chain_id, tx_hash from address_tx where address in ${addressesOfOthers(accountId)})`,
  },
  byAddress('address_tx'),
  byAccount('account_tx'),
  byAddress('intent_event', 'eoa'),
  byAddress('holding'),
  byAccount('account_holding'),
  byAddress('locked_funds'),
  byAddress('watched_address'),
  byAddress('account_deposit'),
  byAccount('account_deposit_sum'),
  {
    table: 'asp_review',
    own: (accountId) => sql.fragment`(chain_id, pool, label) in (
      select chain_id, contract, label from pool_event
      where kind = 'deposit' and account in ${addressesOf(accountId)})`,
  },
  {
    table: 'siwe_nonce',
    own: (accountId) =>
      sql.fragment`auth_address in (select auth_address from account where id = ${accountId})`,
    omit: ['siwe_nonce'],
  },
  byAccount('dapp_use'),
  byAccount('idempotency_key', ['key_hash', 'input_hash', 'claim_id', 'claimed_until', 'sealed_answer']),
  byAccount('oauth_code', [
    'code_hash',
    'code_challenge',
    'sealed_wallet',
    'seal',
    'master_key_id',
    'token_id',
  ]),
  byAccount('api_key', ['secret_hash', 'seal', 'master_key_id']),
  byAccount('contact_email', ['sealed_email', 'master_key_id']),
  byAccount('dismissed_prompt'),
  byAccount('account_token'),
  byAccount('account_feature'),
  byAccount('contact'),
  byAccount('address_book'),
  byAccount('activity_note'),
  byAccount('address_tag'),
  byAccount('fee_waiver'),
  byAccount('referral_profile'),
  {
    table: 'referral_earning',
    own: (accountId) => sql.fragment`attribution_id in (
      select id from referral_attribution where referrer_account_id = ${accountId})`,
    // A moment and a fee are what the payment of whom it brought is found by on the chain.
    omit: ['quote_id', 'attribution_id', 'service_fee', 'booked_at'],
  },
  {
    table: 'referral_attribution',
    own: (accountId) => sql.fragment`(account_id = ${accountId} or referrer_account_id = ${accountId})`,
    kept: 'as referrer they go with the account, as the referred its id is taken out: the referrer has earned',
    omit: ['account_id', 'referrer_account_id'],
  },
  {
    ...byAccount('subdomain_reservation', ['invite_code_hash']),
    kept: 'the name is for the holder of its invite code again: the account’s id is taken out',
  },
  byAccount('subdomain'),
  byAccount('stealth_address'),
  {
    table: 'account',
    own: (accountId) => sql.fragment`id = ${accountId}`,
    omit: ['sealed_keys', 'master_key_id'],
  },

  keep('pool_event', 'the pools’ own history: everybody’s proofs are made from it'),
  keep('outbound_tx', 'erases what it sent by itself; its address is a contract’s'),
  keep('signer', 'addresses of the relayer'),
  ...[
    'token_source',
    'held_token_source',
    'token_market',
    'token_price',
    'price_sample',
    'trending_token',
  ].map((table) => keep(table, 'addresses of tokens')),
]
