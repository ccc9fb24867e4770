import type { CommonQueryMethods } from 'slonik'
import { sql } from '../connect-database.ts'

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
