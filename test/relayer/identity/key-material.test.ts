import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import { publicKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hpkeKeys } from '../../../relayer/identity/key-kinds.ts'
import { rotateServerKey } from '../../../relayer/identity/server-keys.ts'
import { ServiceError } from '../../../relayer/service-error.ts'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'
import { openInstance } from './open-instance.ts'
import { createWallet, encryptFor } from './wallet.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

const wallet = createWallet(`0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`)
const { material } = wallet

describe('key material', () => {
  it('of the published test vector can be decrypted', async () => {
    expect(wallet.address).toBe('0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A')
    expect(material.child_p_view).toBe('0x735c7099fbc7cad79ee3482a3d8b64e1643c824f5d99f1350c00c20a9a81ca25')
    const instance = await openInstance(database)
    const key = await instance.get('/v1/.well-known/hpke-public-key')
    expect(key).toMatchObject({
      status: 200,
      json: { format: 'hex', kem: 'X25519-HKDF-SHA256', aead: 'AES-128-GCM' },
    })
    const publicKey = String(key.json?.['publicKey'])
    expect(publicKey).toMatch(/^[0-9a-f]{64}$/)
    expect(Buffer.from(String(key.json?.['publicKeyBase64']), 'base64').toString('hex')).toBe(publicKey)
    const sealed = await encryptFor(publicKey, JSON.stringify(material))
    expect(Buffer.from(sealed.encapsulatedKey, 'base64')).toHaveLength(32)
    const opened = await instance.identity.openKeyMaterial(sealed)
    expect(opened).toEqual({
      spendPublicKey: material.P_spend,
      viewPublicKey: material.P_view,
      childViewKey: material.child_p_view,
    })
    expect(publicKeyToAddress(opened.spendPublicKey)).toBe(wallet.address)
  })

  it('may have unknown members and capital letters', async () => {
    const { identity } = await openInstance(database)
    const P_spend = `0x${material.P_spend.slice(2).toUpperCase()}`
    const plaintext = JSON.stringify({ ...material, P_spend, version: 2 })
    const opened = await identity.openKeyMaterial(await encryptFor(await identity.hpkePublicKey(), plaintext))
    expect(opened.spendPublicKey).toBe(material.P_spend)
  })

  it('encrypted to the previous key can be decrypted until the overlap ends', async () => {
    const [one, other] = [await openInstance(database), await openInstance(database)]
    const before = await one.identity.hpkePublicKey()
    await rotateServerKey(hpkeKeys, { database: database.pool, vault: one.vault })
    const third = await openInstance(database)
    const after = await third.identity.hpkePublicKey()
    expect(after).not.toBe(before)
    for (const publicKey of [before, after])
      for (const { identity } of [one, other, third])
        await identity.openKeyMaterial(await encryptFor(publicKey, JSON.stringify(material)))
    const strict = await openInstance(database, { config: { hpkeOverlapSeconds: 0 } })
    await expect(
      strict.identity.openKeyMaterial(await encryptFor(before, JSON.stringify(material))),
    ).rejects.toThrow(/does not decrypt/)
  })
})

describe('key material that is refused', () => {
  const order = secp256k1.Point.Fn.ORDER
  const hex = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
  const offCurve = `${material.P_spend.slice(0, -2)}${material.P_spend.endsWith('00') ? '01' : '00'}`
  const compressed = `0x${secp256k1.Point.fromHex(material.P_spend.slice(2)).toHex(true)}`

  it.each([
    ['is no JSON', 'P_spend', /not JSON/],
    ['is no UTF-8', Buffer.from([0xff, 0xfe]), /not JSON in UTF-8/],
    ['is a list', '[]', /no object/],
    ['is null', 'null', /no object/],
    ['lacks a member', { child_p_view: undefined }, /child_p_view/],
    ['has a number for a key', { child_p_view: 7 }, /child_p_view/],
    ['has a point that is not on the curve', { P_spend: offCurve }, /P_spend .* not on the curve/],
    ['has a compressed point', { P_view: compressed }, /P_view .* uncompressed/],
    ['has a point without 0x', { P_view: material.P_view.slice(2) }, /P_view/],
    ['has the key 0', { child_p_view: hex(0n) }, /child_p_view .* order/],
    ['has the order as a key', { child_p_view: hex(order) }, /child_p_view .* order/],
    ['has the largest number as a key', { child_p_view: hex(2n ** 256n - 1n) }, /child_p_view .* order/],
    ['has a short key', { child_p_view: '0x11' }, /child_p_view/],
  ])('%s', async (_, content, complaint) => {
    const { identity } = await openInstance(database)
    const plaintext =
      typeof content === 'string' || Buffer.isBuffer(content)
        ? content
        : JSON.stringify({ ...material, ...content })
    const opening = identity.openKeyMaterial(await encryptFor(await identity.hpkePublicKey(), plaintext))
    const error = await opening.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ServiceError)
    expect(error).toMatchObject({
      kind: 'bad-request',
      code: 'BAD_REQUEST',
      message: expect.stringMatching(complaint),
    })
    // Nothing of the content: no run of digits as in a key.
    expect((error as Error).message).not.toMatch(/[0-9a-f]{16}/i)
  })

  it('does not include the largest and the smallest valid key', async () => {
    const { identity } = await openInstance(database)
    for (const child_p_view of [hex(1n), hex(order - 1n)]) {
      const plaintext = JSON.stringify({ ...material, child_p_view })
      const opened = await identity.openKeyMaterial(
        await encryptFor(await identity.hpkePublicKey(), plaintext),
      )
      expect(opened.childViewKey).toBe(child_p_view)
    }
  })

  it('is not padded base64, is altered, or is encrypted to another key', async () => {
    const { identity } = await openInstance(database)
    const good = await encryptFor(await identity.hpkePublicKey(), JSON.stringify(material))
    const bytes = Buffer.from(good.ciphertext, 'base64')
    const flipped = Buffer.from(bytes)
    flipped[0] = (flipped[0] ?? 0) ^ 1
    const bad = [
      { ...good, ciphertext: '' },
      { ...good, ciphertext: `${good.ciphertext}\n` },
      { ...good, ciphertext: good.ciphertext.replaceAll('=', '') + ' ' },
      { ...good, ciphertext: bytes.toString('hex') },
      { ...good, ciphertext: `${bytes.toString('base64url')}-_` },
      { ...good, ciphertext: flipped.toString('base64') },
      { ...good, ciphertext: bytes.subarray(0, 16).toString('base64') },
      { ...good, ciphertext: Buffer.alloc(10_000).toString('base64') },
      { ...good, encapsulatedKey: '' },
      { ...good, encapsulatedKey: Buffer.alloc(31).toString('base64') },
      { ...good, encapsulatedKey: Buffer.alloc(33).toString('base64') },
      // A point of small order: its shared secret would be known to all.
      { ...good, encapsulatedKey: Buffer.alloc(32).toString('base64') },
      await encryptFor('09'.padEnd(64, '0'), JSON.stringify(material)),
    ]
    for (const sealed of bad)
      await expect(identity.openKeyMaterial(sealed)).rejects.toMatchObject({ kind: 'bad-request' })
    await identity.openKeyMaterial(good)
  })

  it('is a bad request whatever its plaintext is', async () => {
    const { identity } = await openInstance(database)
    const publicKey = await identity.hpkePublicKey()
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.json(),
          fc.string({ unit: 'binary' }),
          fc.record({ P_spend: fc.string(), P_view: fc.anything() }),
        ),
        async (content) => {
          const plaintext = typeof content === 'string' ? content : (JSON.stringify(content) ?? '')
          fc.pre(plaintext !== '')
          const opening = identity.openKeyMaterial(await encryptFor(publicKey, plaintext))
          await expect(opening).rejects.toMatchObject({ kind: 'bad-request' })
        },
      ),
      { numRuns: 100 },
    )
  })
})
