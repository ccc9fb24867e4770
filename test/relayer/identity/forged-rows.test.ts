import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../db/connect-database.ts'
import { revokeApiKey } from '../../../db/identity/api-keys.ts'
import { createApiKey, sealApiKey } from '../../../relayer/identity/api-keys.ts'
import { createVault } from '../../../relayer/identity/create-vault.ts'
import { createKeyWrapper } from '../../../relayer/identity/key-wrapper.ts'
import { rewrapSecrets } from '../../../relayer/identity/rewrap-secrets.ts'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'
import { addAccount, openInstance, TEST_CLIENT, TEST_MASTER_KEY, type Instance } from './open-instance.ts'
import { createWallet } from './wallet.ts'

/** The database of an attacker that may write to it, and lacks the master key. */
let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

const hash = (text: string) => createHash('sha256').update(text).digest()

async function openVictim() {
  const instance = await openInstance(database)
  const wallet = createWallet()
  return { instance, wallet, accountId: await addAccount(database, instance.vault, wallet) }
}

async function makeKey({ vault }: Instance, accountId: string, expiresAt: Date | null = null) {
  const made = await createApiKey(
    { database: database.pool, vault },
    { accountId, label: 'a key', scopes: ['read'], expiresAt },
  )
  if (!made) throw new Error('no key was made')
  return made
}

const change = (id: string, what: ReturnType<typeof sql.fragment>) =>
  database.pool.query(sql.typeAlias('void')`update api_key set ${what} where id = ${id}`)

describe('an attacker who writes to the database without the master key', () => {
  it('cannot create an API key', async () => {
    const { instance, accountId } = await openVictim()
    const [id, secret] = ['a'.repeat(12), 'b'.repeat(43)]
    await database.pool.query(sql.typeAlias('void')`
      insert into api_key (id, secret_hash, account_id, label, scopes)
      values (${id}, ${sql.binary(hash(secret))}, ${accountId}, 'mine', array['read', 'write'])`)
    expect(await instance.identity.authenticate(`sr_live_${id}_${secret}`)).toBe(null)
    // Nor with the seal of a key that is good.
    const own = await makeKey(instance, accountId)
    await change(
      id,
      sql.fragment`(seal, master_key_id) = (select seal, master_key_id from api_key where id = ${own.id})`,
    )
    expect(await instance.identity.authenticate(`sr_live_${id}_${secret}`)).toBe(null)
    expect(await instance.identity.authenticate(own.token)).toMatchObject({ accountId })
  })

  it('cannot widen, prolong, move or restore an API key', async () => {
    const { instance, accountId } = await openVictim()
    const { authenticate } = instance.identity
    const thief = await openVictim()
    const changes = [
      sql.fragment`scopes = array['read', 'write']`,
      sql.fragment`expires_at = expires_at + interval '1 s'`,
      sql.fragment`expires_at = 'infinity'`,
      sql.fragment`expires_at = null`,
      sql.fragment`account_id = ${accountId}`,
      sql.fragment`seal = overlay(seal placing 'x'::bytea from 1)`,
      sql.fragment`seal = substr(seal, 1, 31)`,
      sql.fragment`seal = ''::bytea`,
      sql.fragment`master_key_id = 'another'`,
      sql.fragment`seal = null, master_key_id = null`,
    ]
    for (const what of changes) {
      const key = await makeKey(instance, thief.accountId, new Date(Date.now() + 60_000))
      expect(await authenticate(key.token)).toMatchObject({ accountId: thief.accountId })
      await change(key.id, what)
      expect(await authenticate(key.token), what.sql).toBe(null)
    }
    const revoked = await makeKey(instance, accountId)
    await revokeApiKey(database.pool, revoked.id)
    await change(revoked.id, sql.fragment`revoked_at = null`)
    expect(await authenticate(revoked.token)).toBe(null)
  })

  it('cannot enter an account by changing its auth address', async () => {
    for (const wasThere of [false, true]) {
      const { instance, wallet, accountId } = await openVictim()
      const token = wasThere ? await instance.signIn(wallet) : undefined
      if (token) expect(await instance.identity.authenticate(token)).toMatchObject({ accountId })
      const thief = createWallet()
      await database.pool.query(sql.typeAlias('void')`
        update account set auth_address = ${thief.address} where id = ${accountId}`)
      const stolen = await instance.signIn(thief)
      expect(await instance.identity.authenticate(stolen)).toMatchObject({ accountId: null })
      expect(instance.warnings.join('')).toContain('whose auth address is not that of its sealed keys')
      expect(instance.warnings.join('')).not.toMatch(new RegExp(`${accountId}|0x`))
      const message = thief.writeMessage(await instance.askNonce(thief))
      const answer = await instance.post('/v1/verify', { message, signature: await thief.sign(message) })
      expect(answer).toMatchObject({ status: 200, json: { accountId: null } })
    }
  })

  it('cannot create a code for a token', async () => {
    const { instance, accountId } = await openVictim()
    const [code, verifier] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')]
    const [redirectUri = ''] = TEST_CLIENT.redirectUris
    await database.pool.query(sql.typeAlias('void')`
      insert into oauth_code (code_hash, account_id, client_id, redirect_uri, code_challenge, key_access_method, expires_at)
      values (${sql.binary(hash(code))}, ${accountId}, ${TEST_CLIENT.clientId}, ${redirectUri},
        ${hash(verifier).toString('base64url')}, 'wallet_pin', now() + interval '1 min')`)
    const answer = await instance.post('/v1/oauth/token', {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      client_id: TEST_CLIENT.clientId,
      redirect_uri: redirectUri,
    })
    expect(answer).toMatchObject({ status: 400, json: { error: 'invalid_grant' } })
  })
})

it('an API key of an earlier version works once the operator has accepted that key', async () => {
  const { instance, accountId } = await openVictim()
  const parts = { database: database.pool, vault: instance.vault }
  const [old, forged] = [await makeKey(instance, accountId), await makeKey(instance, accountId)]
  for (const { id } of [old, forged]) await change(id, sql.fragment`seal = null, master_key_id = null`)
  expect(await instance.identity.authenticate(old.token)).toBe(null)
  expect(await sealApiKey(parts, old.id)).toBe(true)
  expect(await instance.identity.authenticate(old.token)).toMatchObject({ accountId })
  expect(await instance.identity.authenticate(forged.token)).toBe(null)
  // A seal that is wrong, and a key that was revoked, are not the operator's to accept.
  await change(old.id, sql.fragment`scopes = array['write']`)
  expect(await sealApiKey(parts, old.id)).toBe(false)
  await revokeApiKey(database.pool, forged.id)
  expect(await sealApiKey(parts, forged.id)).toBe(false)
  expect(await instance.identity.authenticate(forged.token)).toBe(null)
})

it('re-wrapping brings seals under the newest master key, except those of changed rows', async () => {
  const { instance, accountId } = await openVictim()
  const [good, changed] = [await makeKey(instance, accountId), await makeKey(instance, accountId)]
  await change(changed.id, sql.fragment`scopes = array['read', 'write']`)
  const newest = randomBytes(32)
  const [newer, older] = [createKeyWrapper(newest), createKeyWrapper(TEST_MASTER_KEY)]
  const results = await rewrapSecrets(database.pool, createVault([newer, older]), newer.id)
  const keys = results.find(({ place }) => place === 'api-key')
  expect(keys?.failed.map(({ key }) => key)).toContain(changed.id)
  const alone = await openInstance(database, { masterKeys: [newest] })
  expect(await alone.identity.authenticate(good.token)).toMatchObject({ accountId })
  expect(await alone.identity.authenticate(changed.token)).toBe(null)
})
