import { z } from 'zod'
import { hexText } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'

const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text))

const addressFacts = z.object({
  address: hexText,
  /** Chains on which the history of the address may be incomplete. */
  incomplete: z.array(z.int()),
  /** Chains whose nodes did not report all moves of its native coins. */
  untraced: z.array(z.int()),
  holdings: z.array(
    z.object({
      chainId: z.int(),
      token: hexText,
      amount: z.string().transform(BigInt),
      isStale: z.boolean(),
    }),
  ),
  tag: z.object({ ciphertext: z.string(), labelKey: z.string().nullable(), updatedAt: moment }).nullable(),
  apps: z.array(z.object({ origin: z.string(), lastUsedAt: moment })),
})
/** Facts about an address besides its transfers; amounts in the smallest unit. */
export type AddressFacts = z.output<typeof addressFacts>

const time = (column: string) =>
  sql.fragment`to_char(${sql.identifier([column])} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Reads the facts of one address. */
export const parseAddressFacts = (row: unknown): AddressFacts => addressFacts.parse(row)

/**
 * Selects facts about each of `addresses` that belongs to the account, as one JSON array. They are its holdings of
 * `tokens`, gaps in its history, its tag and its apps. Only `tokens`, because anybody can send an address thousands of
 * others.
 *
 * An address watched within a minute of its issue has no earlier history to wait for: no payer could know it. Funds
 * found there nevertheless are older (transaction-facts.ts). An address that was derived again, or watched late, may
 * have a past.
 */
export const selectAddressFacts = (accountId: string, tokens: readonly string[]) => sql.fragment`
  select coalesce(jsonb_agg(jsonb_build_object(
    'address', own.address, 'incomplete', array(
        select chain.chain_id from indexed_chain as chain
        left join watched_address as watched on watched.chain_id = chain.chain_id and watched.address = own.address
        where chain.state = 'resyncing' or watched.address is null or watched.history_next is not null and (
          watched.near_from is null or own.generation_context is null
          or watched.watched_since > own.created_at + interval '1 minute')
      ), 'untraced', array(
        select chain.chain_id from indexed_chain as chain
        join watched_address as watched on watched.chain_id = chain.chain_id and watched.address = own.address
        where chain.untraced_to >= watched.live_from
      ), 'holdings', coalesce((
        select jsonb_agg(jsonb_build_object('chainId', chain_id, 'token', token, 'amount', amount::text,
          'isStale', stale))
        from holding where holding.address = own.address and standard in ('native', 'erc20')
          and token = any(${sql.array([...tokens], 'text')})
      ), '[]'), 'tag', (
        select jsonb_build_object('ciphertext', ciphertext, 'labelKey', label_key, 'updatedAt', ${time('updated_at')})
        from address_tag where address_tag.account_id = own.account_id and address_tag.address = own.address
      ), 'apps', coalesce((
        select jsonb_agg(jsonb_build_object('origin', origin, 'lastUsedAt', ${time('last_used_at')})
          order by last_used_at desc, origin)
        from dapp_use where dapp_use.address = own.address
      ), '[]')
  )), '[]')
  from unnest(addresses) as one (address)
  cross join lateral (select * from stealth_address where stealth_address.address = one.address offset 0) as own
  where own.account_id = ${accountId}::uuid`
