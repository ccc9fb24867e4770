import type { SiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../db/connect-database.ts'
import { setAccountDisabled } from '../../../db/identity/account-standing.ts'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'
import { addAccount, bearer, openInstance, type Instance } from './open-instance.ts'
import { createWallet, type TestWallet } from './wallet.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

async function verify(instance: Instance, wallet: TestWallet, message: string) {
  return instance.post('/v1/verify', { message, signature: await wallet.sign(message) })
}

const refused = { status: 422, json: { error: 'Unprocessable Entity', code: 'UNPROCESSABLE_ENTITY' } }

describe('a sign-in succeeds', () => {
  const goodMessages = [
    ['a domain with a port', { domain: 'localhost:5173' }],
    ['a domain without one', { domain: 'localhost' }],
    ['an IP address', { domain: '127.0.0.1:80' }],
    ['a domain with a scheme', { scheme: 'https' }],
    ['another chain', { chainId: 8_453 }],
    ['no statement', { statement: undefined }],
    ['a statement in any words', { statement: 'Grüße — "100 %" <free> {now} ✓' }],
    [
      'times that fit',
      { expirationTime: new Date(Date.now() + 60_000), notBefore: new Date(Date.now() - 1_000) },
    ],
    ['resources and a request id', { resources: ['https://a.example/x'], requestId: 'r-1' }],
  ] as const

  it('with messages as clients word them', async () => {
    const instance = await openInstance(database)
    for (const [what, changes] of goodMessages) {
      const wallet = createWallet()
      const message = wallet.writeMessage(await instance.askNonce(wallet), changes as never)
      expect(await verify(instance, wallet, message), what).toMatchObject({
        status: 200,
        json: { ok: true, address: wallet.address, accountId: null, keyAccessMethod: 'unknown' },
      })
    }
  })

  it('with a lower-case address in the request for a nonce', async () => {
    const instance = await openInstance(database)
    const wallet = createWallet()
    const { text } = await instance.get(`/v1/nonce?address=${wallet.address.toLowerCase()}`)
    expect((await verify(instance, wallet, wallet.writeMessage(JSON.parse(text) as string))).status).toBe(200)
  })

  it('with a nonce line in double quotes', async () => {
    const instance = await openInstance(database)
    const wallet = createWallet()
    const bare = wallet.writeMessage(await instance.askNonce(wallet))
    const quoted = bare.replace(/^Nonce: (.+)$/m, 'Nonce: "$1"')
    expect(quoted).toMatch(/^Nonce: "[0-9A-Za-z]{24}"$/m)
    const signedOverBare = { message: quoted, signature: await wallet.sign(bare) }
    expect(await instance.post('/v1/verify', signedOverBare)).toMatchObject(refused)
    expect(await verify(instance, wallet, quoted)).toMatchObject({
      status: 200,
      json: { ok: true, address: wallet.address },
    })
    // One nonce, however it is written.
    expect(await verify(instance, wallet, bare)).toMatchObject(refused)
  })

  it('with an address in lower case or a line feed at the end, signed in any usual form', async () => {
    const instance = await openInstance(database)
    const lower = (text: string) => text.replace(/^0x\w{40}$/m, (address) => address.toLowerCase())
    const variants = [lower, (text: string) => `${text}\n`, (text: string) => `${lower(text)}\n`]
    for (const write of variants) {
      const wallet = createWallet()
      const message = write(wallet.writeMessage(await instance.askNonce(wallet)))
      expect(await verify(instance, wallet, message), message).toMatchObject({
        status: 200,
        json: { address: wallet.address },
      })
    }
    const wallet = createWallet()
    const message = wallet.writeMessage(await instance.askNonce(wallet))
    const signature = await wallet.sign(message)
    const parity = signature.endsWith('1b') ? '00' : '01'
    expect(
      await instance.post('/v1/verify', { message, signature: `${signature.slice(0, -2)}${parity}` }),
    ).toMatchObject({ status: 200 })
    // The signature is over the text as it is sent.
    const other = wallet.writeMessage(await instance.askNonce(wallet))
    const signedOverOther = { message: lower(other), signature: await wallet.sign(other) }
    expect(await instance.post('/v1/verify', signedOverOther)).toMatchObject(refused)
  })

  it('but not with a quote on one side of the nonce only', async () => {
    const instance = await openInstance(database)
    const wallet = createWallet()
    const message = wallet.writeMessage(await instance.askNonce(wallet))
    for (const form of ['Nonce: "$1', 'Nonce: $1"', 'Nonce: ""$1""', "Nonce: '$1'"])
      expect(await verify(instance, wallet, message.replace(/^Nonce: (.+)$/m, form)), form).toMatchObject({
        status: 400,
        json: { code: 'BAD_REQUEST' },
      })
  })

  it('and names the account once there is one, for which earlier tokens work too', async () => {
    const instance = await openInstance(database)
    const wallet = createWallet()
    const token = await instance.signIn(wallet)
    expect(await instance.identity.authenticate(token)).toMatchObject({ accountId: null, kind: 'session' })
    const accountId = await addAccount(database, instance.vault, wallet)
    expect(await instance.identity.authenticate(token)).toMatchObject({ accountId, kind: 'session' })
    const later = await verify(instance, wallet, wallet.writeMessage(await instance.askNonce(wallet)))
    expect(later.json).toMatchObject({ accountId })
  })

  it('with an authType, of which known ones count', async () => {
    const instance = await openInstance(database)
    for (const [authType, keyAccessMethod] of [
      ['passkey_prf', 'passkey_prf'],
      ['wallet_pin', 'wallet_pin'],
      ['some_other_2', 'unknown'],
    ]) {
      const token = await instance.signIn(createWallet(), authType)
      expect(await instance.identity.authenticate(token), authType).toMatchObject({ keyAccessMethod })
    }
  })
})

describe('a sign-in fails', () => {
  it('with a nonce that was used before', async () => {
    const instance = await openInstance(database)
    const wallet = createWallet()
    const message = wallet.writeMessage(await instance.askNonce(wallet))
    expect((await verify(instance, wallet, message)).status).toBe(200)
    expect(await verify(instance, wallet, message)).toMatchObject(refused)
  })

  it('for all but one of 50 simultaneous requests with one nonce', async () => {
    const instance = await openInstance(database)
    const wallet = createWallet()
    const message = wallet.writeMessage(await instance.askNonce(wallet))
    const answers = await Promise.all(Array.from({ length: 50 }, () => verify(instance, wallet, message)))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200,
      ...Array.from({ length: 49 }, () => 422),
    ])
  })

  it("with another address's nonce, which stays valid for that address", async () => {
    const instance = await openInstance(database)
    const [thief, owner] = [createWallet(), createWallet()]
    const nonce = await instance.askNonce(owner)
    expect(await verify(instance, thief, thief.writeMessage(nonce))).toMatchObject(refused)
    expect((await verify(instance, owner, owner.writeMessage(nonce))).status).toBe(200)
  })

  it("with somebody else's signature, which does not use the nonce up", async () => {
    const instance = await openInstance(database)
    const [owner, forger] = [createWallet(), createWallet()]
    const message = owner.writeMessage(await instance.askNonce(owner))
    expect(await verify(instance, forger, message)).toMatchObject(refused)
    expect((await verify(instance, owner, message)).status).toBe(200)
  })

  it('with a message that was changed after it was signed', async () => {
    const instance = await openInstance(database)
    const wallet = createWallet()
    const message = wallet.writeMessage(await instance.askNonce(wallet))
    const signature = await wallet.sign(message.replace('It costs nothing', 'It costs a lot'))
    expect(await instance.post('/v1/verify', { message, signature })).toMatchObject(refused)
  })

  const badMessages: [string, Partial<SiweMessage>][] = [
    ['of another domain', { domain: 'evil.example' }],
    ['of a domain that begins like ours', { domain: 'localhost.evil.example' }],
    ['of a domain that ends like ours', { domain: 'evil.localhost' }],
    ['that has expired', { expirationTime: new Date(Date.now() - 1_000) }],
    ['that is not valid yet', { notBefore: new Date(Date.now() + 60_000) }],
    ['with a nonce that was never given', { nonce: 'abcdefghijklmnopqrstuvwx' }],
  ]

  it('with a message for another domain or another time', async () => {
    const instance = await openInstance(database)
    for (const [what, changes] of badMessages) {
      const wallet = createWallet()
      const message = wallet.writeMessage(await instance.askNonce(wallet), changes)
      expect(await verify(instance, wallet, message), what).toMatchObject(refused)
    }
  })

  it('with a nonce older than five minutes', async () => {
    const instance = await openInstance(database)
    const wallet = createWallet()
    const siweNonce = await instance.askNonce(wallet)
    const left = await database.pool.oneFirst(sql.unsafe`
      select extract(epoch from expires_at - now())::float8 from siwe_nonce where siwe_nonce = ${siweNonce}`)
    expect(left).toBeGreaterThan(290)
    expect(left).toBeLessThanOrEqual(300)
    await database.pool.query(sql.typeAlias('void')`
      update siwe_nonce set expires_at = now() where siwe_nonce = ${siweNonce}`)
    expect(await verify(instance, wallet, wallet.writeMessage(siweNonce))).toMatchObject(refused)
  })

  it('with a domain that is not configured, or another port than the configured one', async () => {
    const instance = await openInstance(database, {
      config: { domains: ['app.example', 'beta.example:8443'] },
    })
    const wallet = createWallet()
    const attempt = async (domain: string) => {
      const message = wallet.writeMessage(await instance.askNonce(wallet), { domain })
      return verify(instance, wallet, message)
    }
    expect((await attempt('app.example')).status).toBe(200)
    expect((await attempt('APP.example')).status).toBe(200)
    expect((await attempt('beta.example:8443')).status).toBe(200)
    expect((await attempt('app.example:8080')).status).toBe(422)
    expect((await attempt('beta.example')).status).toBe(422)
    expect(await attempt('localhost:3000')).toMatchObject({
      status: 422,
      json: {
        message:
          'The message was signed for localhost:3000; this service accepts app.example, beta.example:8443',
      },
    })
  })

  it('for a disabled account, whose tokens stop working too', async () => {
    const instance = await openInstance(database)
    const wallet = createWallet()
    const accountId = await addAccount(database, instance.vault, wallet)
    const token = await instance.signIn(wallet)
    await setAccountDisabled(database.pool, accountId, true)
    expect(await instance.identity.authenticate(token)).toBe(null)
    const message = wallet.writeMessage(await instance.askNonce(wallet))
    expect(await verify(instance, wallet, message)).toMatchObject(refused)
    await setAccountDisabled(database.pool, accountId, false)
    expect(await instance.identity.authenticate(token)).toMatchObject({ accountId })
  })

  it('after logout for that token but not for others of the account', async () => {
    const instance = await openInstance(database)
    const wallet = createWallet()
    const [one, other] = [await instance.signIn(wallet), await instance.signIn(wallet)]
    expect((await instance.post('/v1/logout', undefined, bearer(one))).json).toEqual({ ok: true })
    expect(await instance.identity.authenticate(one)).toBe(null)
    expect(await instance.identity.authenticate(other)).not.toBe(null)
    for (const headers of [bearer(one), bearer('nonsense'), {}])
      expect((await instance.post('/v1/logout', undefined, headers)).json).toEqual({ ok: true })
  })
})
