import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../db/connect-database.ts'
import { consumeOauthCode, insertOauthCode } from '../../../db/identity/oauth-codes.ts'
import { insertNonce, revokeToken, purgeExpired } from '../../../db/identity/expiring-rows.ts'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'
import { addAccount, openInstance, textRow } from './open-instance.ts'
import { createWallet } from './wallet.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

it('the purge deletes expired rows and nothing else', async () => {
  const { pool } = database
  const { vault } = await openInstance(database)
  const wallet = createWallet()
  const accountId = await addAccount(database, vault, wallet)
  const addCode = async (ttlSeconds: number, tokenSeconds?: number) => {
    const codeHash = randomBytes(32)
    await insertOauthCode(pool, {
      codeHash,
      accountId,
      clientId: 'extension',
      redirectUri: 'https://a.example/',
      codeChallenge: 'c',
      keyAccessMethod: 'unknown',
      sealedWallet: null,
      seal: randomBytes(32),
      masterKeyId: 'none',
      ttlSeconds,
    })
    if (tokenSeconds !== undefined)
      await consumeOauthCode(pool, { codeHash, tokenId: `token for ${tokenSeconds} s`, tokenSeconds })
  }
  for (const seconds of [-1, 300]) {
    const siweNonce = `nonce for ${seconds} s`
    await insertNonce(pool, { siweNonce, authAddress: wallet.address, ttlSeconds: seconds })
    await revokeToken(pool, { tokenId: `revoked for ${seconds} s`, lifetimeSeconds: seconds })
    await addCode(seconds)
    await addCode(-1, seconds)
  }
  await purgeExpired(pool, { token: 600, hpke: 600 })
  const left = await pool.any(sql.type(textRow)`
    select siwe_nonce as text from siwe_nonce
    union all select token_id from revoked_token
    union all select coalesce(token_id, 'unused code') from oauth_code
    union all select purpose from server_key
    order by 1`)
  expect(left.map(({ text }) => text)).toEqual([
    'hpke',
    'nonce for 300 s',
    'revoked for 300 s',
    'token',
    'token for 300 s',
    'unused code',
  ])
})
