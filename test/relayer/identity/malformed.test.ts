import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'
import { openInstance } from './open-instance.ts'
import { createWallet } from './wallet.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

const signature = `0x${'11'.repeat(65)}`
const message = createWallet().writeMessage('abcdefghijklmnop1234')

const badBodies: [string, unknown][] = [
  ['no body', undefined],
  ['no message', { signature }],
  ['a message of another type', { message: 7, signature }],
  ['a message that is no sign-in', { message: 'hello', signature }],
  ['an empty message', { message: '', signature }],
  ['a message of 10 kB', { message: message.replace('Sign in', 'Sign in '.repeat(1_300)), signature }],
  ['a message with another version', { message: message.replace('Version: 1', 'Version: 2'), signature }],
  ['a message with a short nonce', { message: message.replace('abcdefghijklmnop1234', 'abc'), signature }],
  ['a message with a bad time', { message: `${message}\nExpiration Time: tomorrow`, signature }],
  [
    'a message with a time that is none',
    { message: `${message}\nExpiration Time: 2026-13-45T99:99:99Z`, signature },
  ],
  [
    'a message of 2 kB beside its statement',
    { message: `${message}\nResources:${'\n- https://app.example/terms'.repeat(80)}`, signature },
  ],
  ['a message with something after it', { message: `${message}\nAnd: more`, signature }],
  ['no signature', { message }],
  ['a signature that is no hex', { message, signature: 'signed' }],
  ['a signature of 5 kB', { message, signature: `0x${'11'.repeat(5_000)}` }],
  ['an authType in capitals', { message, signature, authType: 'Passkey' }],
  ['an authType with blanks', { message, signature, authType: 'passkey prf' }],
  ['an endless authType', { message, signature, authType: 'a'.repeat(65) }],
]

it('malformed requests are bad requests', async () => {
  const instance = await openInstance(database)
  for (const [what, body] of badBodies)
    expect(await instance.post('/v1/verify', body), what).toMatchObject({
      status: 400,
      json: { code: 'BAD_REQUEST' },
    })
})

const badSignatures: [string, string][] = [
  ['of another length', `0x${'11'.repeat(64)}`],
  ['of zeros', `0x${'00'.repeat(65)}`],
  ['with an impossible v', `0x${'11'.repeat(64)}ff`],
  ['that is empty', '0x'],
]

it('impossible signatures are unprocessable', async () => {
  const instance = await openInstance(database)
  for (const [what, signature] of badSignatures) {
    const answer = await instance.post('/v1/verify', { message, signature })
    expect(answer, what).toMatchObject({ status: 422, json: { code: 'UNPROCESSABLE_ENTITY' } })
  }
})

it('a long statement is accepted', async () => {
  const instance = await openInstance(database)
  const long = message.replace('Sign in', 'Sign in '.repeat(300))
  expect(await instance.post('/v1/verify', { message: long, signature })).toMatchObject({ status: 422 })
})

it('unknown members are tolerated', async () => {
  const instance = await openInstance(database)
  const wallet = createWallet()
  const nonce = await instance.get(`/v1/nonce?address=${wallet.address}&more=1`)
  const text = wallet.writeMessage(JSON.parse(nonce.text) as string)
  const body = { message: text, signature: await wallet.sign(text), more: { of: 'it' } }
  expect((await instance.post('/v1/verify', body)).status).toBe(200)
})

it('a nonce is refused for an invalid address', async () => {
  const instance = await openInstance(database)
  for (const query of [
    '',
    '?address=',
    '?address=0x12',
    '?address=alice.example',
    '?address=0x19e7e376E7C213B7E7e7e46cc70A5dD086DAff2A',
  ])
    expect((await instance.get(`/v1/nonce${query}`)).status, query).toBe(400)
})

it('a mutated message is answered with 400 or 422 and never with a 500', async () => {
  const instance = await openInstance(database)
  const edits = fc.array(
    fc.record({
      at: fc.nat(message.length),
      cut: fc.nat(20),
      put: fc.string({ unit: 'binary', maxLength: 20 }),
    }),
    { minLength: 1, maxLength: 4 },
  )
  await fc.assert(
    fc.asyncProperty(
      edits,
      fc.constantFrom(signature, '0x', '0x00', '', '🦊'),
      async (changes, signature) => {
        const text = changes.reduce(
          (all, { at, cut, put }) => all.slice(0, at) + put + all.slice(at + cut),
          message,
        )
        const answer = await instance.post('/v1/verify', { message: text, signature })
        expect([400, 422]).toContain(answer.status)
      },
    ),
    { numRuns: 300 },
  )
  expect(instance.log.filter(({ level }) => level === 'error')).toEqual([])
})
