import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../connect-database.ts'

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
export type TokenStanding = z.output<typeof standingRow>

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
