import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto'
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../db/connect-database.ts'
import { purgeExpired } from '../../../db/identity/expiring-rows.ts'
import { hpkeKeys, tokenKeys, type TokenSigningKey } from '../../../relayer/identity/key-kinds.ts'
import { openServerKeys, rotateServerKey } from '../../../relayer/identity/server-keys.ts'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'
import { bearer, openInstance, textRow, type Instance } from './open-instance.ts'
import { createWallet } from './wallet.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

/** The very key that the instances sign with. */
async function openSigningKey({ vault }: Instance): Promise<TokenSigningKey> {
  const keys = await openServerKeys(tokenKeys, { database: database.pool, vault, overlapSeconds: 604_800 })
  return keys.current()
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('a token', () => {
  it('has issuer, audience and expiry, and verifies with the published keys', async () => {
    const instance = await openInstance(database)
    const wallet = createWallet()
    const token = await instance.signIn(wallet, 'wallet_pin')
    const jwks = createRemoteJWKSet(new URL('/.well-known/jwks.json', instance.url))
    const { payload, protectedHeader } = await jwtVerify(token, jwks, {
      issuer: 'stealth-relay',
      audience: 'stealth-relay-api',
    })
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) })
    expect(payload.sub).toBe(wallet.address)
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3_600)
    const { keys } = (await instance.get('/.well-known/jwks.json')).json as { keys: object[] }
    for (const key of keys)
      expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  })

  it('verifies again when it is signed by the same key', async () => {
    const instance = await openInstance(database)
    const token = await instance.signIn(createWallet())
    const key = await openSigningKey(instance)
    const again = await new SignJWT(decodeJwt(token))
      .setProtectedHeader(decodeProtectedHeader(token) as { alg: string })
      .sign(key.privateKey)
    expect(await instance.identity.authenticate(again)).toMatchObject({ kind: 'session' })
  })

  type Forgery = (genuine: { token: string; key: TokenSigningKey }) => Promise<string> | string
  const resign =
    (changes: Record<string, unknown>, header: Record<string, unknown> = {}): Forgery =>
    ({ token, key }) =>
      new SignJWT({ ...decodeJwt(token), ...changes })
        .setProtectedHeader({ alg: 'ES256', ...decodeProtectedHeader(token), ...header })
        .sign(key.privateKey)
  const now = Math.floor(Date.now() / 1_000)

  const forgeries: [string, Forgery][] = [
    ['of another issuer', resign({ iss: 'somebody' })],
    ['for another audience', resign({ aud: 'somebody' })],
    ['without audience', resign({ aud: undefined })],
    ['that has expired', resign({ exp: now - 1 })],
    ['without an end', resign({ exp: undefined })],
    ['not valid yet', resign({ nbf: now + 600 })],
    ['without a name of its own', resign({ jti: undefined })],
    ['of a kind that is not ours', resign({ knd: 'api-key' })],
    ['of nobody', resign({ sub: 'nobody' })],
    ['under an unknown key id', resign({}, { kid: randomUUID() })],
    ['without key id', resign({}, { kid: undefined })],
    ['of another type', resign({}, { typ: 'JWT' })],
    [
      'signed by a key of their own under our key id',
      ({ token }) =>
        new SignJWT(decodeJwt(token))
          .setProtectedHeader(decodeProtectedHeader(token) as { alg: string })
          .sign(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
    ],
    [
      'that brings its own key along',
      async ({ token }) => {
        const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
        return new SignJWT(decodeJwt(token))
          .setProtectedHeader({
            ...(decodeProtectedHeader(token) as { alg: string }),
            jwk: publicKey.export({ format: 'jwk' }),
          })
          .sign(privateKey)
      },
    ],
    [
      'with alg none',
      ({ token }) => `${encode({ ...decodeProtectedHeader(token), alg: 'none' })}.${token.split('.')[1]}.`,
    ],
    [
      'with HS256 keyed by our public key',
      ({ token, key }) => {
        const signed = `${encode({ ...decodeProtectedHeader(token), alg: 'HS256' })}.${token.split('.')[1]}`
        const secret = key.publicKey.export({ format: 'pem', type: 'spki' })
        return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
      },
    ],
    [
      'with another subject under the old signature',
      ({ token }) => {
        const [header, , signature] = token.split('.')
        return `${header}.${encode({ ...decodeJwt(token), sub: createWallet().address })}.${signature}`
      },
    ],
    ['that was cut short', ({ token }) => token.slice(0, -4)],
    ['of a megabyte', ({ token }) => token + 'A'.repeat(1_000_000)],
    ['that is none', () => 'nonsense'],
    ['that is empty', () => ''],
  ]
  it.each(forgeries)('is refused when it is %s', async (_, forge) => {
    const instance = await openInstance(database)
    const token = await instance.signIn(createWallet())
    // The service remembers the genuine one from here on.
    expect(await instance.identity.authenticate(token)).not.toBe(null)
    const forged = await forge({ token, key: await openSigningKey(instance) })
    expect(await instance.identity.authenticate(forged)).toBe(null)
    expect(await instance.identity.authenticate(token)).not.toBe(null)
  })
})

describe('keys', () => {
  it('are shared by instances that start together on an empty database', async () => {
    const empty = await openTestDatabase()
    try {
      const instances = await Promise.all(Array.from({ length: 8 }, () => openInstance(empty)))
      const rows = await empty.pool.any(sql.type(textRow)`
        select purpose as text from server_key order by purpose`)
      expect(rows.map(({ text }) => text)).toEqual(['hpke', 'token'])
      const token = await instances[0]!.signIn(createWallet())
      for (const { identity } of instances) expect(await identity.authenticate(token)).not.toBe(null)
      expect(new Set(await Promise.all(instances.map(({ identity }) => identity.hpkePublicKey()))).size).toBe(
        1,
      )
      for (const instance of instances) instance.log.length = 0
    } finally {
      await empty.drop()
    }
  })

  it('are rotated without invalidating old tokens, and other instances know the new key at once', async () => {
    const [one, other] = [await openInstance(database), await openInstance(database)]
    const old = await one.signIn(createWallet())
    await rotateServerKey(tokenKeys, { database: database.pool, vault: one.vault })
    // This instance opens after the rotation and signs with the new key; the others have not looked since.
    const third = await openInstance(database)
    const fresh = await third.signIn(createWallet())
    expect(decodeProtectedHeader(fresh).kid).not.toBe(decodeProtectedHeader(old).kid)
    for (const { identity } of [one, other, third])
      for (const token of [old, fresh]) expect(await identity.authenticate(token)).not.toBe(null)
    const { keys } = (await third.get('/.well-known/jwks.json')).json as { keys: { kid: string }[] }
    expect(keys[0]?.kid).toBe(decodeProtectedHeader(fresh).kid)
    expect(keys.map(({ kid }) => kid)).toContain(decodeProtectedHeader(old).kid)
  })

  it('are deleted when they retired longer ago than any token lives', async () => {
    const instance = await openInstance(database)
    const token = await instance.signIn(createWallet())
    const { kid } = decodeProtectedHeader(token)
    for (const kind of [tokenKeys, hpkeKeys])
      await rotateServerKey(kind, { database: database.pool, vault: instance.vault })
    const purge = () => purgeExpired(database.pool, { token: 604_860, hpke: 86_400 })
    const count = () =>
      database.pool.oneFirst(sql.unsafe`select count(*)::int4 from server_key where id = ${kid ?? ''}`)
    await purge()
    expect(await count()).toBe(1)
    await database.pool.query(sql.typeAlias('void')`
      update server_key set retired_at = now() - interval '8 days' where id = ${kid ?? ''}`)
    await purge()
    expect(await count()).toBe(0)
    expect(await (await openInstance(database)).identity.authenticate(token)).toBe(null)
  })

  it("stop the start with a reason when the master key is not the database's", async () => {
    await openInstance(database)
    await expect(openInstance(database, { masterKeys: [Buffer.alloc(32, 7)] })).rejects.toThrow(
      /identity\.masterKeys/,
    )
  })
})

describe('two instances on one database', () => {
  it('share nonces, tokens and logouts', async () => {
    const [one, other] = [await openInstance(database), await openInstance(database)]
    const wallet = createWallet()
    const message = wallet.writeMessage(await one.askNonce(wallet))
    const body = { message, signature: await wallet.sign(message) }
    const [first, second] = await Promise.all([one.post('/v1/verify', body), other.post('/v1/verify', body)])
    expect([first.status, second.status].toSorted((a, b) => a - b)).toEqual([200, 422])
    const token = String((first.status === 200 ? first : second).json?.['token'])
    expect(await other.identity.authenticate(token)).not.toBe(null)
    await one.post('/v1/logout', undefined, bearer(token))
    expect(await other.identity.authenticate(token)).toBe(null)
    const refused = await other.post('/v1/extension-authorizations', {}, bearer(token))
    expect(refused).toMatchObject({ status: 401, json: { error: 'invalid_token' } })
  })
})
