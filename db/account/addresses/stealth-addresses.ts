import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import { hasActivity } from './chain-facts.ts'
import { byAccount } from '../../account-table.ts'
import { smallInteger } from '../../column-types.ts'

/** How an account's erasure and export treat the table. */
export const stealthAddressTable = byAccount('stealth_address')

const addressRow = z.object({
  address: z.string(),
  derivationNonce: z.bigint().transform(Number),
  generationContext: z.enum(['external', 'fund-movement', 'app']).nullable(),
  createdAt: z.date(),
})

/** A one-time address; the address is checksummed. */
export type StealthAddressRow = z.output<typeof addressRow>

/** Filter of addresses; an absent member does not filter. */
export interface AddressConditions {
  address?: string
  hasActivity?: boolean
  hasBalance?: boolean
  /** Whether the address was shown to an app. */
  usedWithApps?: boolean
}

const isOrNot = (wanted: boolean) => (wanted ? sql.fragment`` : sql.fragment`not`)

function matching(accountId: string, filter: AddressConditions) {
  const { address, usedWithApps } = filter
  const terms = [sql.fragment`account_id = ${accountId}`]
  if (address !== undefined) terms.push(sql.fragment`stealth_address.address = ${address}`)
  if (filter.hasActivity !== undefined) terms.push(sql.fragment`${hasActivity} = ${filter.hasActivity}`)
  // A condition on the whole account finds the few funded addresses without testing each address.
  if (filter.hasBalance !== undefined)
    terms.push(sql.fragment`${isOrNot(filter.hasBalance)} exists (
      select from holding where holding.owner_account_id = ${accountId} and holding.address = stealth_address.address
        and amount > 0 and standard in ('native', 'erc20'))`)
  if (usedWithApps !== undefined)
    terms.push(sql.fragment`${isOrNot(usedWithApps)} exists (
      select from dapp_use where dapp_use.account_id = ${accountId} and dapp_use.address = stealth_address.address)`)
  return sql.join(terms, sql.fragment` and `)
}

/** Lists addresses oldest first, after the given derivationNonce. */
export function listStealthAddresses(
  connection: CommonQueryMethods,
  accountId: string,
  page: { after: number | null; limit: number; filter?: AddressConditions },
): Promise<readonly StealthAddressRow[]> {
  return connection.any(sql.type(addressRow)`
    select address, derivation_nonce as "derivationNonce", generation_context as "generationContext",
      created_at as "createdAt"
    from stealth_address
    where ${matching(accountId, page.filter ?? {})} and derivation_nonce > ${page.after ?? -1}
    order by derivation_nonce limit ${page.limit}`)
}

const countRow = z.object({ count: z.bigint().transform(Number) })

/** Counts the account's matching addresses. Without a filter it reads the account's counter, at constant cost. */
export async function countStealthAddresses(
  connection: CommonQueryMethods,
  accountId: string,
  filter: AddressConditions = {},
): Promise<number> {
  const isFiltered = Object.values(filter).some((wanted) => wanted !== undefined)
  const { count } = await connection.one(
    isFiltered
      ? sql.type(countRow)`select count(*) from stealth_address where ${matching(accountId, filter)}`
      : sql.type(countRow)`
          select coalesce((select address_count from account where id = ${accountId}), 0) as count`,
  )
  return count
}

/** Counts the given addresses that belong to the account; each must be given once. */
export const countOwnAddresses = (
  connection: CommonQueryMethods,
  accountId: string,
  addresses: readonly string[],
): Promise<number> =>
  connection.oneFirst(sql.type(z.object({ count: smallInteger }))`
    select count(*) as count from stealth_address
    where account_id = ${accountId}::uuid and address = any(${sql.array([...addresses], 'text')})`)

/**
 * Writes the account's missing addresses and moves its counter past them. The first of `addresses` has derivationNonce
 * `first`. Their context is null, because it is no longer known.
 * @returns The number of missing addresses. Null when another address is stored under one of the derivationNonces, or
 *   one of the addresses belongs elsewhere: the caller must then roll back.
 */
export async function writeMissingAddresses(
  transaction: CommonQueryMethods,
  { accountId, first, addresses }: { accountId: string; first: bigint; addresses: readonly string[] },
): Promise<number | null> {
  const derived = sql.fragment`
    unnest(${sql.array([...addresses], 'text')}) with ordinality as derived (address, place)`
  const nonce = sql.fragment`${first} + derived.place - 1`
  await transaction.query(sql.typeAlias('void')`
    update account set next_derivation_nonce = greatest(next_derivation_nonce, ${first + BigInt(addresses.length)})
    where id = ${accountId}`)
  const missing = await transaction.query(sql.typeAlias('void')`
    insert into stealth_address (address, account_id, derivation_nonce)
    select derived.address, ${accountId}::uuid, ${nonce} from ${derived}
    on conflict do nothing`)
  const known = await transaction.query(sql.typeAlias('void')`
    select from stealth_address join ${derived} on stealth_address.address = derived.address
    where account_id = ${accountId} and derivation_nonce = ${nonce}`)
  return known.rowCount === addresses.length ? missing.rowCount : null
}
