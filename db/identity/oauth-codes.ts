import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../connect-database.ts'
import { byAccount } from '../account-table.ts'
import type { ShortLivedSecret } from '../sealed-column.ts'

/** How an account's erasure and export treat the table. */
export const oauthCodeTable = byAccount('oauth_code', [
  'code_hash',
  'code_challenge',
  'sealed_wallet',
  'seal',
  'master_key_id',
  'token_id',
])

/** Not rewrapped under a new master key. */
export const sealedCodes: ShortLivedSecret = {
  table: 'oauth_code',
  columns: ['sealed_wallet', 'seal'],
  kept: 'a code is good for five minutes, and the old master key is dropped later',
}

/** An authorization code to be stored; only its hash is stored. */
export interface NewOauthCode {
  codeHash: Buffer
  accountId: string
  clientId: string
  redirectUri: string
  codeChallenge: string
  keyAccessMethod: string
  sealedWallet: Buffer | null
  /** Covers all members above except the wallet. */
  seal: Buffer
  /** Master key of the wallet and the seal. */
  masterKeyId: string
  ttlSeconds: number
}

/** Stores an authorization code for `ttlSeconds` from the database's clock. */
export async function insertOauthCode(connection: CommonQueryMethods, code: NewOauthCode): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    insert into oauth_code (code_hash, account_id, client_id, redirect_uri, code_challenge, key_access_method,
      sealed_wallet, seal, master_key_id, expires_at)
    values (${sql.binary(code.codeHash)}, ${code.accountId}, ${code.clientId}, ${code.redirectUri},
      ${code.codeChallenge}, ${code.keyAccessMethod}, ${code.sealedWallet && sql.binary(code.sealedWallet)},
      ${sql.binary(code.seal)}, ${code.masterKeyId}, now() + ${code.ttlSeconds} * interval '1 s')`)
}

const codeRow = z.object({
  accountId: z.string(),
  authAddress: z.string(),
  disabled: z.boolean(),
  clientId: z.string(),
  redirectUri: z.string(),
  codeChallenge: z.string(),
  keyAccessMethod: z.string(),
  sealedWallet: z.instanceof(Buffer).nullable(),
  seal: z.instanceof(Buffer).nullable(),
  masterKeyId: z.string().nullable(),
  expired: z.boolean(),
  tokenId: z.string().nullable(),
})
/** A stored code with the state of its account. `tokenId` is set once the code was exchanged. */
export type OauthCodeRow = z.output<typeof codeRow>

/** Finds a code, used or not, and locks it until the transaction ends. */
export function lockOauthCode(
  transaction: CommonQueryMethods,
  codeHash: Buffer,
): Promise<OauthCodeRow | null> {
  return transaction.maybeOne(sql.type(codeRow)`
    select account_id as "accountId", auth_address as "authAddress", disabled_at is not null as disabled,
      client_id as "clientId", redirect_uri as "redirectUri", code_challenge as "codeChallenge",
      key_access_method as "keyAccessMethod", sealed_wallet as "sealedWallet", seal, oauth_code.master_key_id as "masterKeyId",
      oauth_code.expires_at <= now() as expired, token_id as "tokenId"
    from oauth_code join account on account.id = account_id
    where code_hash = ${sql.binary(codeHash)} for update of oauth_code`)
}

/** Consumes a code; the row stays as long as its token, to detect a second use. */
export async function consumeOauthCode(
  transaction: CommonQueryMethods,
  used: { codeHash: Buffer; tokenId: string; tokenSeconds: number },
): Promise<void> {
  await transaction.query(sql.typeAlias('void')`
    update oauth_code set token_id = ${used.tokenId}, sealed_wallet = null, seal = null, master_key_id = null,
      token_expires_at = now() + ${used.tokenSeconds} * interval '1 s'
    where code_hash = ${sql.binary(used.codeHash)} and token_id is null`)
}
