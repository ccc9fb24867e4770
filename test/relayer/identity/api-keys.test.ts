import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../db/connect-database.ts'
import { setAccountDisabled } from '../../../db/identity/account-standing.ts'
import { revokeApiKey } from '../../../db/identity/api-keys.ts'
import { createApiKey } from '../../../relayer/identity/api-keys.ts'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'
import { addAccount, bearer, openInstance, textRow, type Instance } from './open-instance.ts'
import { createWallet } from './wallet.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

async function makeKey(instance: Instance, scopes: ('read' | 'write')[], expiresAt: Date | null = null) {
  const wallet = createWallet()
  const accountId = await addAccount(database, instance.vault, wallet)
  const key = await createApiKey(
    { database: database.pool, vault: instance.vault },
    { accountId, label: 'a key', scopes, expiresAt },
  )
  if (!key) throw new Error('no key was made')
  return { ...key, accountId, wallet }
}

it("an API key acts for its account within its scopes, and shares the account's limits", async () => {
  const instance = await openInstance(database)
  const { id, token, accountId, wallet } = await makeKey(instance, ['read'])
  expect(token).toMatch(/^sr_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}$/)
  const principal = await instance.identity.authenticate(token)
  expect(principal).toMatchObject({
    kind: 'api-key',
    accountId,
    authAddress: null,
    keyAccessMethod: 'unknown',
    tokenId: id,
    scopes: new Set(['read']),
  })
  const session = await instance.identity.authenticate(await instance.signIn(wallet))
  expect(principal?.id).toBe(session?.id)
  expect(principal?.id).not.toContain(wallet.address.slice(2))
})

it('an API key with the scope read cannot write, and none can authorize an extension', async () => {
  const instance = await openInstance(database)
  const [reader, writer] = [await makeKey(instance, ['read']), await makeKey(instance, ['read', 'write'])]
  for (const { token } of [reader, writer]) {
    const answer = await instance.post('/v1/extension-authorizations', {}, bearer(token))
    expect(answer.status).toBe(token === reader.token ? 403 : 400)
  }
})

it('an API key is refused when it is wrong, revoked or expired, or its account is disabled', async () => {
  const instance = await openInstance(database)
  const { authenticate } = instance.identity
  const { id, token, accountId } = await makeKey(instance, ['read', 'write'])
  const last = token.endsWith('A') ? 'B' : 'A'
  for (const wrong of [
    token.slice(0, -1) + last,
    token.slice(0, -1),
    `${token}A`,
    'sr_live_',
    `sr_live_${id}_`,
  ])
    expect(await authenticate(wrong)).toBe(null)
  await setAccountDisabled(database.pool, accountId, true)
  expect(await authenticate(token)).toBe(null)
  await setAccountDisabled(database.pool, accountId, false)
  expect(await authenticate(token)).not.toBe(null)
  expect(await revokeApiKey(database.pool, id)).toBe(true)
  expect(await authenticate(token)).toBe(null)
  const expiring = await makeKey(instance, ['read'], new Date(Date.now() + 60_000))
  expect(await authenticate(expiring.token)).not.toBe(null)
  await database.pool.query(sql.typeAlias('void')`
    update api_key set expires_at = now() where id = ${expiring.id}`)
  expect(await authenticate(expiring.token)).toBe(null)
})

it('an API key survives logout and is stored as a hash only', async () => {
  const instance = await openInstance(database)
  const { token } = await makeKey(instance, ['read', 'write'])
  expect((await instance.post('/v1/logout', undefined, bearer(token))).json).toEqual({ ok: true })
  expect(await instance.identity.authenticate(token)).not.toBe(null)
  const secret = token.split('_')[3] ?? ''
  const rows = await database.pool.any(
    sql.type(textRow)`select row_to_json(api_key)::text as text from api_key`,
  )
  for (const form of [secret, Buffer.from(secret).toString('hex')])
    expect(JSON.stringify(rows)).not.toContain(form)
})
