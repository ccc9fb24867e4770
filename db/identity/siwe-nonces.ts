import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../connect-database.ts'
import { type AccountTable } from '../account-table.ts'

/** How an account's erasure and export treat the table. */
export const nonceTable: AccountTable = {
  table: 'siwe_nonce',
  own: (accountId) =>
    sql.fragment`auth_address in (select auth_address from account where id = ${accountId})`,
  omit: ['siwe_nonce'],
}

/** Stores a sign-in nonce for one address; it expires after `ttlSeconds` by the database's clock. */
export async function insertNonce(
  connection: CommonQueryMethods,
  nonce: { siweNonce: string; authAddress: string; ttlSeconds: number },
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    insert into siwe_nonce (siwe_nonce, auth_address, expires_at)
    values (${nonce.siweNonce}, ${nonce.authAddress}, now() + ${nonce.ttlSeconds} * interval '1 s')`)
}

/**
 * Consumes a nonce.
 *
 * @returns True if it was issued for this address and is still valid; of concurrent attempts exactly one gets true.
 */
export async function consumeNonce(
  connection: CommonQueryMethods,
  nonce: { siweNonce: string; authAddress: string },
): Promise<boolean> {
  const used = await connection.maybeOne(sql.type(z.object({ good: z.boolean() }))`
    delete from siwe_nonce where siwe_nonce = ${nonce.siweNonce} and auth_address = ${nonce.authAddress}
    returning expires_at > now() as good`)
  return used?.good ?? false
}
