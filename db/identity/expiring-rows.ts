import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../connect-database.ts'
import type { AccountTable } from '../account-table.ts'

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

/** Records a token as revoked for the rest of its lifetime; revoking it again changes nothing. */
export async function revokeToken(
  connection: CommonQueryMethods,
  token: { tokenId: string; lifetimeSeconds: number },
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    insert into revoked_token (token_id, expires_at)
    values (${token.tokenId}, now() + ${token.lifetimeSeconds} * interval '1 s')
    on conflict (token_id) do nothing`)
}

const standingRow = z.object({
  accountId: z.string().nullable(),
  disabled: z.boolean(),
  revoked: z.boolean(),
})
/** State that decides whether a token with a valid signature is accepted. */
type TokenStanding = z.output<typeof standingRow>

/** Reads whether a token has been revoked, and the account of its address; null while there is none. */
export function readStanding(
  connection: CommonQueryMethods,
  { tokenId, authAddress }: { tokenId: string; authAddress: string },
): Promise<TokenStanding> {
  return connection.one(sql.type(standingRow)`
    select account.id as "accountId", account.disabled_at is not null as disabled,
      exists (select from revoked_token where token_id = ${tokenId}) as revoked
    from (values (${authAddress})) as signer (auth_address) left join account using (auth_address)`)
}

/** Deletes rows without effect: expired nonces, revocations and codes, and keys that were retired longer ago than any use. */
export async function purgeExpired(
  connection: CommonQueryMethods,
  overlapSeconds: { token: number; hpke: number },
): Promise<void> {
  await connection.query(sql.typeAlias('void')`delete from siwe_nonce where expires_at < now()`)
  await connection.query(sql.typeAlias('void')`delete from revoked_token where expires_at < now()`)
  await connection.query(sql.typeAlias('void')`
    delete from oauth_code where coalesce(token_expires_at, expires_at) < now()`)
  await connection.query(sql.typeAlias('void')`
    delete from server_key where retired_at < now() - interval '1 s' *
      case purpose when 'token' then ${overlapSeconds.token}::int8 when 'hpke' then ${overlapSeconds.hpke}::int8 end`)
}
