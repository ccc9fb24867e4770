import { setImmediate } from 'node:timers/promises'
import type { CommonQueryMethods } from 'slonik'
import type { Hex } from 'viem'
import { z } from 'zod'
import { hexText, smallInteger } from '../../column-types.ts'
import { sql } from '../../connect-database.ts'
import { accountVersion, selectAccountVersion, type AccountVersion } from '../changes/account-version.ts'

/** What an address has of a token, smallest unit; quotes may have promised some of it. */
export interface HeldAmount {
  /** The same object for all holdings of one token in one answer. Its address is checksummed. */
  id: { chainId: number; address: Hex }
  held: bigint
}

/** What quotes have promised of what addresses of an account hold, smallest unit, by {@link lockKey}. */
export type LockedAmounts = ReadonlyMap<string, bigint>

/** Names what an address has of a token. */
export const lockKey = (chainId: number | string, token: string, address: string) =>
  `${chainId} ${token} ${address}`

/** An address that has something now. */
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

/** Whose holdings, narrowed to an address, a chain, a token or a set of tokens. */
export interface HoldingFilter {
  accountId: string
  address?: string | undefined
  chainId?: number | undefined
  token?: string | undefined
  /** None but these; null or undefined for all. */
  tokens?: readonly TokenName[] | null | undefined
}

/** Whether the columns `chain_id` and `token` name one of these tokens. */
export const isOneOf = (tokens: readonly TokenName[] | null | undefined) =>
  tokens
    ? sql.fragment`(chain_id, token) in (select * from ${sql.unnest(
        tokens.map(({ chainId, address }) => [chainId, address]),
        ['int8', 'text'],
      )})`
    : sql.fragment`true`

const fundedAddresses = z.object({
  total: smallInteger,
  /** A line for each address: its derivationNonce and address, then each holding, as {@link parseFundedAddress} reads them. */
  lines: z.string(),
  locks: z.string(),
  uses: z.array(z.tuple([z.string(), z.string()])),
})

/** Addresses that are parsed before other work has its turn. */
const PARSED_AT_ONCE = 500

/**
 * The account's addresses that hold what the filter asks for, by derivationNonce, all of them without a limit, with that; and
 * how many there are on all pages. They are found by what the account holds now, not by all of its addresses, most of which
 * may be used up. One text takes the server and the service a fifth of what a row for each holding takes.
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

/** A line for each lock: {@link lockKey} and the amount. */
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

/** Which state the facts of an account are in, and what quotes have promised of its holdings then. */
export async function readFundsState(
  connection: CommonQueryMethods,
  accountId: string,
): Promise<{ version: AccountVersion; locked: LockedAmounts }> {
  const { version, locks } = await connection.one(sql.type(fundsState)`
    select (${selectAccountVersion(accountId)}) as version, (${selectLocks(accountId)}) as locks`)
  return { version, locked: parseLocks(locks) }
}

/** Reads lines of {@link listFundedAddresses}; tokens are few, so each is made once. */
function createFundedAddressParser(uses: readonly [string, string][]): (line: string) => FundedAddressRow {
  const originsOf = Map.groupBy(uses, ([address]) => address)
  const ids = new Map<string, HeldAmount['id']>()
  const idOf = (chainId: string, token: string) => {
    const key = `${chainId} ${token}`
    const known = ids.get(key)
    if (known) return known
    // A copy: what is cut out of a text keeps all of it in memory, and descriptions of tokens are kept.
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
/** What one address has of one token, smallest unit; `locked` is what quotes have promised of it. */
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
/** How often an address was sent a token, and when last. */
export type ReceivedRow = z.output<typeof received>

/**
 * What the addresses were sent. One row for each address and token; anybody can send any number of tokens, so those that
 * are not among `only.tokens`, and those after the first `only.most` rows, by the time of the first receipt, are one row
 * of each address.
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
