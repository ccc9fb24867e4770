import type { CommonQueryMethods } from 'slonik'
import { sql } from '../../connect-database.ts'

/**
 * Writes those of the account's addresses that are missing, the first being that of the derivationNonce `first`, and
 * lets no later one be taken again. Null context: nobody knows any more what they were made for.
 *
 * @returns How many were missing; null, after which the transaction is to be undone, where another address is known
 * under one of the derivationNonces, or one of the addresses is known elsewhere.
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
