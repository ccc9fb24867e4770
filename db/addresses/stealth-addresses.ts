import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../connect-database.ts'
import { hasActivity, hasBalance } from './chain-facts.ts'

const addressRow = z.object({
  address: z.string(),
  derivationNonce: z.bigint().transform(Number),
  generationContext: z.enum(['external', 'fund-movement']).nullable(),
  createdAt: z.date(),
})

/** A one-time address; the address is checksummed. */
export type StealthAddressRow = z.output<typeof addressRow>

/** Which addresses are meant; what is absent does not matter. */
export interface AddressFilter {
  address?: string
  hasActivity?: boolean
  hasBalance?: boolean
  /** Whether an app was shown the address. */
  usedWithApps?: boolean
}

function matching(accountId: string, filter: AddressFilter) {
  const { address, usedWithApps } = filter
  const terms = [sql.fragment`account_id = ${accountId}`]
  if (address !== undefined) terms.push(sql.fragment`stealth_address.address = ${address}`)
  if (filter.hasActivity !== undefined) terms.push(sql.fragment`${hasActivity} = ${filter.hasActivity}`)
  if (filter.hasBalance !== undefined) terms.push(sql.fragment`${hasBalance} = ${filter.hasBalance}`)
  if (usedWithApps !== undefined)
    terms.push(
      sql.fragment`exists (select 1 from dapp_use where dapp_use.address = stealth_address.address) = ${usedWithApps}`,
    )
  return sql.join(terms, sql.fragment` and `)
}

/** Oldest first, after the given derivationNonce. */
export function listStealthAddresses(
  connection: CommonQueryMethods,
  accountId: string,
  page: { after: number | null; limit: number; filter?: AddressFilter },
): Promise<readonly StealthAddressRow[]> {
  return connection.any(sql.type(addressRow)`
    select address, derivation_nonce as "derivationNonce", generation_context as "generationContext",
      created_at as "createdAt"
    from stealth_address
    where ${matching(accountId, page.filter ?? {})} and derivation_nonce > ${page.after ?? -1}
    order by derivation_nonce limit ${page.limit}`)
}

const countRow = z.object({ count: z.bigint().transform(Number) })

export async function countStealthAddresses(
  connection: CommonQueryMethods,
  accountId: string,
  filter: AddressFilter = {},
): Promise<number> {
  const { count } = await connection.one(sql.type(countRow)`
    select count(*) from stealth_address where ${matching(accountId, filter)}`)
  return count
}
