import type { CommonQueryMethods } from 'slonik'
import { sql } from '../../connect-database.ts'

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
