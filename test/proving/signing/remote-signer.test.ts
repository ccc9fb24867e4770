import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createProvingPool } from '../../../proving/create-proving-pool.ts'
import { ProvingBusyError, type ProvingPool } from '../../../proving/proving-pool.ts'
import type { RemoteKey } from '../../../proving/signing/commitment-signer.ts'
import { createFeeCommitmentSigners } from '../../../proving/signing/fee-commitment-signers.ts'
import { startNode } from '../../relayer/chain/broadcast/start-node.ts'
import { malleate, message, messages, signWithViem } from './sample-commitment.ts'
import { answer, honest, startSigner, type TestSigner } from './start-signer.ts'

const localKey = `0x${'11'.repeat(32)}` as const
const remoteKey = `0x${'22'.repeat(32)}` as const
const local = privateKeyToAddress(localKey)
const address = privateKeyToAddress(remoteKey)
const hastyKey = `0x${'44'.repeat(32)}` as const
const hasty = privateKeyToAddress(hastyKey)

let signer: TestSigner
/** Another one, with short timeouts: it is the one that hangs. */
let hanging: TestSigner
let pool: ProvingPool
const reach = (change: Partial<RemoteKey> = {}): RemoteKey => ({
  remote: signer.url,
  address,
  method: 'eth_signTypedData_v4',
  timeoutMs: 30_000,
  ...change,
})
const sign = () => pool.signFeeCommitment({ signer: address, message })

beforeAll(async () => {
  signer = await startSigner(remoteKey)
  hanging = await startSigner(hastyKey)
  const impatient = reach({ remote: hanging.url, address: hasty, timeoutMs: 1_000 })
  pool = await createProvingPool({ threads: 1, commitmentKeys: [localKey, reach(), impatient] })
})
afterAll(async () => {
  await pool.close()
  await signer.stop()
  await hanging.stop()
})
beforeEach(() => void signer.asked.splice(0))
afterEach(() => signer.behave(honest))

test('a remote key signs as viem does, and its signatures are recognised without asking it', async () => {
  for (const each of messages) {
    const signature = await pool.signFeeCommitment({ signer: address, message: each })
    expect(signature).toBe(await signWithViem(each, remoteKey))
    expect(await pool.findOwnSigner({ message: each, signature })).toBe(address)
  }
  expect(signer.asked).toEqual(messages.map(() => 'eth_signTypedData_v4'))
})

test('local keys sign beside a remote one without asking it', async () => {
  const signature = await pool.signFeeCommitment({ signer: local, message })
  expect(signature).toBe(await signWithViem(message, localKey))
  expect(await pool.findOwnSigner({ message, signature })).toBe(local)
  expect(signer.asked).toEqual([])
})

test('a changed form or message of a remote signature is not recognised', async () => {
  const signature = await signWithViem(message, remoteKey)
  for (const candidate of malleate(signature))
    expect(await pool.findOwnSigner({ message, signature: candidate as `0x${string}` })).toBeNull()
  expect(await pool.findOwnSigner({ message: { ...message, amount: 1n }, signature })).toBeNull()
})

test.each(['eth_signTypedData', 'account_signTypedData'] as const)(
  'the protocol %s is supported',
  async (method) => {
    const signers = await createFeeCommitmentSigners([reach({ method })])
    expect(await signers.sign({ signer: address, message })).toBe(await signWithViem(message, remoteKey))
    expect(signer.asked).toEqual([method])
  },
)

test('a node with an unlocked key can be the signer', async () => {
  const node = await startNode()
  try {
    const [address] = (await node.ask<`0x${string}`[]>('eth_accounts')) as [`0x${string}`]
    const signers = await createFeeCommitmentSigners([reach({ remote: node.url, address })])
    for (const each of messages.slice(0, 6)) {
      const signature = await signers.sign({ signer: address, message: each })
      expect(signers.findSigner({ message: each, signature })?.toLowerCase()).toBe(address.toLowerCase())
    }
  } finally {
    await node.stop()
  }
})

test('the authorization header is sent, and a recovery of 0 or 1 becomes 27 or 28', async () => {
  const headers: unknown[] = []
  signer.behave((signature, response, request) => {
    headers.push(request.headers.authorization)
    const v = signature.endsWith('1b') ? '00' : '01'
    answer(response, { jsonrpc: '2.0', id: 1, result: signature.slice(0, -2) + v })
  })
  const signers = await createFeeCommitmentSigners([reach({ authorization: 'Bearer of-good-news' })])
  for (const each of messages)
    expect(await signers.sign({ signer: address, message: each })).toBe(await signWithViem(each, remoteKey))
  expect(new Set(headers)).toEqual(new Set(['Bearer of-good-news']))
})

describe('a signature that the remote signer returns is checked:', () => {
  const stranger = privateKeyToAccount(`0x${'33'.repeat(32)}`)

  test.each<[string, (signature: string) => unknown]>([
    // The third form has a recovery of 0 or 1, which is corrected.
    ...malleate(`0x${'5'.repeat(128)}1b`).flatMap<[string, (signature: string) => unknown]>((_, index) =>
      index === 2 ? [] : [[`form ${index}`, (signature) => malleate(signature)[index]]],
    ),
    ['nothing', () => undefined],
    ['a number', () => 27],
    ['a list', (signature) => [signature]],
  ])('%s', async (_, change) => {
    signer.behave((signature, response) => void answer(response, { id: 1, result: change(signature) }))
    await expect(sign()).rejects.toMatchObject({ code: 'internal', message: /something else/ })
    expect(signer.asked).toHaveLength(1)
  })

  test('it is refused when it is of another key, another message or another prefix', async () => {
    const others = [
      await signWithViem(message, `0x${'33'.repeat(32)}`),
      await signWithViem({ ...message, amount: message.amount + 1n }, remoteKey),
      await signWithViem({ ...message, chainId: 2 }, remoteKey),
      await stranger.signMessage({ message: 'else' }),
      await privateKeyToAccount(remoteKey).signMessage({ message: 'else' }),
    ]
    for (const result of others) {
      signer.behave((_, response) => void answer(response, { id: 1, result }))
      await expect(sign()).rejects.toMatchObject({ code: 'internal' })
    }
  })
})

describe('a remote signer', () => {
  test('that refuses is asked once', async () => {
    signer.behave((_, response) => void answer(response, { error: { code: -32_000, message: 'locked' } }))
    await expect(sign()).rejects.toMatchObject({ code: 'internal', message: /refuses: locked/ })
    signer.behave((_, response) => void response.writeHead(401).end('who are you?'))
    await expect(sign()).rejects.toMatchObject({ code: 'internal', message: /HTTP 401/ })
    expect(signer.asked).toHaveLength(2)
  })

  test.each<[string, Parameters<TestSigner['behave']>[0]]>([
    ['breaks the connection', (_, response) => void response.destroy()],
    ['is overloaded', (_, response) => void response.writeHead(503).end('<html>')],
    ['speaks no JSON', (_, response) => void response.end('<html>')],
    ['answers without end', (_, response) => void response.end('"'.padEnd(1_000_000))],
    ['redirects', (_, response) => void response.writeHead(307, { location: '/' }).end()],
  ])('is asked three times where it %s', async (_, behaviour) => {
    signer.behave(behaviour)
    await expect(sign()).rejects.toMatchObject({ code: 'unavailable' })
    expect(signer.asked).toHaveLength(3)
    signer.behave(honest)
    expect(await sign()).toBe(await signWithViem(message, remoteKey))
  })

  test.each<[string, Parameters<TestSigner['behave']>[0]]>([
    ['hangs', () => {}],
    ['hangs in the middle', (_, response) => void response.writeHead(200).write('{')],
  ])('is asked three times where it %s', async (_, behaviour) => {
    hanging.asked.splice(0)
    hanging.behave(behaviour)
    const signHere = () => pool.signFeeCommitment({ signer: hasty, message })
    await expect(signHere()).rejects.toMatchObject({ code: 'unavailable' })
    expect(hanging.asked).toHaveLength(3)
    hanging.behave(honest)
    const signed = await signWithViem(message, hastyKey)
    await expect.poll(() => signHere().catch(() => null)).toBe(signed)
  })

  test('that answers after failures is used again', async () => {
    signer.behave((signature, response, request) => {
      if (signer.asked.length < 3) response.destroy()
      else honest(signature, response, request)
    })
    expect(await sign()).toBe(await signWithViem(message, remoteKey))
  })

  test('that has stopped is reported unavailable, and used again after its restart', async () => {
    await signer.stop()
    await expect(sign()).rejects.toMatchObject({ code: 'unavailable', message: /cannot be reached/ })
    await signer.start()
    expect(await sign()).toBe(await signWithViem(message, remoteKey))
    // The open connection is closed, which costs an attempt but no signature.
    await signer.stop()
    await signer.start()
    expect(await sign()).toBe(await signWithViem(message, remoteKey))
  })

  test('that hangs blocks no local key, and a bounded number of requests wait for it', async () => {
    hanging.behave(() => {})
    const attempts = Array.from({ length: 40 }, () =>
      pool.signFeeCommitment({ signer: hasty, message }).catch((error: unknown) => error),
    )
    expect(pool.stats()).toMatchObject({ running: 16, queued: 16 })
    expect(await pool.signFeeCommitment({ signer: local, message })).toBe(
      await signWithViem(message, localKey),
    )
    const results = await Promise.all(attempts)
    // One thread sends 16 at once, and 16 more wait.
    expect(results.filter((result) => result instanceof ProvingBusyError)).toHaveLength(8)
    expect(pool.stats()).toMatchObject({ running: 0, queued: 0 })
  })
})
