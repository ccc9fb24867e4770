import { setImmediate } from 'node:timers/promises'
import type { CommonQueryMethods } from 'slonik'
import type { Hex } from 'viem'
import { z } from 'zod'
import { hexText, smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'
import { accountVersion, selectAccountVersion, type AccountVersion } from '../changes/account-version.ts'
import { byAccount } from '../../account-table.ts'

/** Balance of a token at an address, smallest unit, before reservations by quotes. */
export interface HeldAmount {
  /** The same object for all holdings of one token in one answer. Its address is checksummed. */
  id: { chainId: number; address: Hex }
  held: bigint
}

/** Amounts that quotes have reserved at addresses of an account, smallest unit, by {@link lockKey}. */
export type LockedAmounts = ReadonlyMap<string, bigint>

/** Key of a token's balance at an address. */
export const lockKey = (chainId: number | string, token: string, address: string) =>
  `${chainId} ${token} ${address}`

/** An address with a balance. */
export interface FundedAddressRow {
  address: Hex
  derivationNonce: number
  /** Apps that were shown the address, the latest first. */
  usedOrigins: readonly string[]
  /** By chain and token. */
  holdings: readonly HeldAmount[]
}

/** A token as holdings and transfers name it; addresses are stored checksummed, the zero address is the native coin. */
export interface TokenName {
  chainId: number
  address: string
}

/** Selects an account's holdings, narrowed to an address, a chain, a token or a set of tokens. */
export interface HoldingFilter {
  accountId: string
  address?: string | undefined
  chainId?: number | undefined
  token?: string | undefined
  /** Only these tokens; null or undefined for all. */
  tokens?: readonly TokenName[] | null | undefined
}

/** Condition: the columns `chain_id` and `token` name one of these tokens. */
export const isOneOf = (tokens: readonly TokenName[] | null | undefined) =>
  tokens
    ? sql.fragment`(chain_id, token) in (select * from ${sql.unnest(
        tokens.map(({ chainId, address }) => [chainId, address]),
        ['int8', 'text'],
      )})`
    : sql.fragment`true`

const fundedAddresses = z.object({
  total: smallInteger,
  /** A line per address: derivationNonce, address, then each holding; {@link createFundedAddressParser} parses it. */
  lines: z.string(),
  locks: z.string(),
  uses: z.array(z.tuple([z.string(), z.string()])),
})

/** Addresses parsed before yielding to other work. */
const PARSED_AT_ONCE = 500

/**
 * Lists the account's addresses that hold tokens matching the filter, by derivationNonce, and counts them over all
 * pages. A null limit returns all. The query starts from current holdings, because most addresses of an account may be
 * used up. One text costs the server and the service a fifth of a row per holding.
 */
export async function listFundedAddresses(
  connection: CommonQueryMethods,
  filter: HoldingFilter,
  page: { limit: number | null; offset: number } = { limit: null, offset: 0 },
): Promise<{ rows: readonly FundedAddressRow[]; total: number; locked: LockedAmounts }> {
  const { address = null, chainId = null, token = null } = filter
  const { total, lines, locks, uses } = await connection.one(sql.type(fundedAddresses)`
    with funded as materialized (
      select address, string_agg(
        concat_ws(' ', chain_id, token, holding.amount), ' ' order by chain_id, token) as holdings
      from holding
      where holding.owner_account_id = ${filter.accountId}::uuid and standard in ('native', 'erc20') and holding.amount > 0
        and (${address}::text is null or address = ${address}::text)
        and (${chainId}::bigint is null or chain_id = ${chainId}::bigint)
        and (${token}::text is null or token = ${token}::text)
        and ${isOneOf(filter.tokens)}
      group by address
    ), page as materialized (
      select address, derivation_nonce, holdings from funded join stealth_address using (address)
      order by derivation_nonce limit ${page.limit} offset ${page.offset}
    )
    select (select count(*) from funded) as total, coalesce((
      select string_agg(concat_ws(' ', derivation_nonce, address, holdings), E'\n' order by derivation_nonce) from page
    ), '') as lines, (${selectLocks(filter.accountId)}) as locks, coalesce((
      select jsonb_agg(jsonb_build_array(address, origin) order by last_used_at desc, origin)
      from page cross join lateral (
        -- Apart, so that the uses of each address are looked up: the table holds those of all accounts.
        select origin, last_used_at from dapp_use where dapp_use.address = page.address offset 0
      ) as used
    ), '[]') as uses`)
  const parse = createFundedAddressParser(uses)
  const all = lines === '' ? [] : lines.split('\n')
  const rows: FundedAddressRow[] = []
  for (let start = 0; start < all.length; start += PARSED_AT_ONCE) {
    if (start > 0) await setImmediate()
    for (const line of all.slice(start, start + PARSED_AT_ONCE)) rows.push(parse(line))
  }
  return { rows, total, locked: parseLocks(locks) }
}

/** A line per lock: {@link lockKey} and the amount. */
const selectLocks = (accountId: string) => sql.fragment`
  select coalesce(string_agg(concat_ws(' ', chain_id, token, address, amount), E'\n'), '') from locked_funds
  where owner_account_id = ${accountId}::uuid and amount > 0`

function parseLocks(lines: string): LockedAmounts {
  return new Map(
    lines.split('\n').flatMap((line) => {
      const end = line.lastIndexOf(' ')
      return end < 0 ? [] : [[line.slice(0, end), BigInt(line.slice(end + 1))]]
    }),
  )
}

const fundsState = z.object({ version: accountVersion, locks: z.string() })

/** Reads an account's version together with the amounts that its quotes have reserved. */
export async function readFundsState(
  connection: CommonQueryMethods,
  accountId: string,
): Promise<{ version: AccountVersion; locked: LockedAmounts }> {
  const { version, locks } = await connection.one(sql.type(fundsState)`
    select (${selectAccountVersion(accountId)}) as version, (${selectLocks(accountId)}) as locks`)
  return { version, locked: parseLocks(locks) }
}

/** Creates a parser for the lines of {@link listFundedAddresses}; addresses of one token share an id object. */
function createFundedAddressParser(uses: readonly [string, string][]): (line: string) => FundedAddressRow {
  const originsOf = Map.groupBy(uses, ([address]) => address)
  const ids = new Map<string, HeldAmount['id']>()
  const idOf = (chainId: string, token: string) => {
    const key = `${chainId} ${token}`
    const known = ids.get(key)
    if (known) return known
    // Copies the text: a substring would keep the whole answer in memory as long as a token's description is cached.
    const id = { chainId: Number(chainId), address: Buffer.from(token).toString() as Hex }
    ids.set(key, id)
    return id
  }
  return (line) => {
    const words = line.split(' ')
    const address = Buffer.from(words[1] ?? '').toString() as Hex
    const holdings: HeldAmount[] = []
    for (let place = 2; place + 2 < words.length; place += 3)
      holdings.push({
        id: idOf(words[place] ?? '', words[place + 1] ?? ''),
        held: BigInt(words[place + 2] ?? ''),
      })
    const usedOrigins = originsOf.get(address)?.map(([, origin]) => origin) ?? []
    return { address, derivationNonce: Number(words[0]), usedOrigins, holdings }
  }
}

const addressHolding = z.object({
  address: hexText,
  chainId: smallInteger,
  token: hexText,
  free: z.bigint(),
  locked: z.bigint(),
})
/** Balance of one token at one address, smallest unit; `locked` is the part that quotes have reserved. */
export type AddressHoldingRow = z.output<typeof addressHolding>

/** Native coins and ERC-20s of the addresses, narrowed to a chain, a token of it, or a set of tokens. */
export function listAddressHoldings(
  connection: CommonQueryMethods,
  addresses: readonly string[],
  only: Pick<HoldingFilter, 'chainId' | 'token' | 'tokens'> = {},
): Promise<readonly AddressHoldingRow[]> {
  const { chainId = null, token = null } = only
  return connection.any(sql.type(addressHolding)`
    select address, chain_id as "chainId", token,
      greatest(holding.amount - coalesce(locked.amount, 0), 0) as free,
      least(holding.amount, coalesce(locked.amount, 0)) as locked
    from holding left join locked_funds as locked using (chain_id, address, token)
    where address = any(${sql.array(addresses, 'text')}) and standard in ('native', 'erc20') and holding.amount > 0
      and (${chainId}::bigint is null or chain_id = ${chainId}::bigint)
      and (${token}::text is null or token = ${token}::text)
      and ${isOneOf(only.tokens)}
    order by address, chain_id, token`)
}

const received = z.object({
  address: hexText,
  /** Null together with `token`: the sum of all tokens that are not listed one by one. */
  chainId: smallInteger.nullable(),
  token: hexText.nullable(),
  receiveCount: smallInteger,
  lastReceivedAt: z.date(),
})
/** Number and last time of a token's receipts at an address. */
export type ReceivedRow = z.output<typeof received>

/**
 * Counts the tokens that the addresses received, one row per address and token. Each address has one more row that sums
 * all tokens outside `only.tokens` or after the first `only.most`, ordered by first receipt. That bounds the answer:
 * anybody can send any number of tokens.
 */
export function countReceived(
  connection: CommonQueryMethods,
  addresses: readonly string[],
  only: { tokens?: readonly TokenName[]; most?: number },
): Promise<readonly ReceivedRow[]> {
  const isTold = sql.fragment`place <= ${only.most ?? Number.MAX_SAFE_INTEGER} and ${isOneOf(only.tokens)}`
  return connection.any(sql.type(received)`
    select address, case when ${isTold} then chain_id end as "chainId", case when ${isTold} then token end as token,
      sum(times)::bigint as "receiveCount", max(last_at) as "lastReceivedAt"
    from (
      select to_address as address, chain_id, token, count(*) as times, max(block_time) as last_at,
        row_number() over (order by min(block_time), chain_id, token) as place
      from transfer
      where to_address = any(${sql.array(addresses, 'text')}) and standard in ('native', 'erc20')
      group by to_address, chain_id, token
    ) as received
    group by address, 2, 3`)
}

/** How an account's erasure and export treat the table. */
export const accountHoldingTable = byAccount('account_holding')

const tokenSum = z.object({
  chainId: smallInteger,
  token: hexText,
  /** Smallest unit; quotes have reserved `locked`, the rest is `free`. */
  free: z.bigint(),
  locked: z.bigint(),
})
/** An account's total of one token, in its smallest unit; quotes have reserved `locked` of it. */
type TokenSum = z.output<typeof tokenSum>

/**
 * Sums the native coins and ERC-20s of all addresses of an account, by token. `only` selects a chain, a token of it or
 * a set of tokens, and limits the rows. The cost does not depend on the number of addresses.
 */
export function sumHoldings(
  connection: CommonQueryMethods,
  accountId: string,
  only: { chainId?: number; token?: string; tokens?: readonly TokenName[]; most?: number } = {},
): Promise<readonly TokenSum[]> {
  const { chainId = null, token = null } = only
  return connection.any(sql.type(tokenSum)`
    select chain_id as "chainId", token,
      greatest(held.amount - coalesce(locked.amount, 0), 0) as free,
      least(held.amount, coalesce(locked.amount, 0)) as locked
    from account_holding as held
    left join (
      select chain_id, token, sum(amount) as amount from locked_funds
      where owner_account_id = ${accountId}::uuid and amount > 0 group by chain_id, token
    ) as locked using (chain_id, token)
    where account_id = ${accountId}::uuid and held.amount > 0
      and (${chainId}::bigint is null or held.chain_id = ${chainId}::bigint)
      and (${token}::text is null or held.token = ${token}::text)
      and ${isOneOf(only.tokens)}
    order by chain_id, token limit ${only.most ?? null}`)
}
