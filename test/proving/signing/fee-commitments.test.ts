import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProvingPool } from '../../../proving/create-proving-pool.ts'
import type { FeeCommitmentMessage, ProvingPool } from '../../../proving/proving-pool.ts'
import { loadEcdsa, portableEcdsa } from '../../../proving/signing/ecdsa.ts'
import { createFeeCommitmentSigners } from '../../../proving/signing/fee-commitment-signers.ts'
import { malleate, message, messages, signWithViem } from './sample-commitment.ts'

const keys = [`0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`] as const
const accounts = keys.map((key) => privateKeyToAccount(key)) as [
  ReturnType<typeof privateKeyToAccount>,
  ReturnType<typeof privateKeyToAccount>,
]

let pool: ProvingPool
beforeAll(async () => {
  pool = await createProvingPool({ threads: 1, commitmentKeys: keys })
})
afterAll(() => pool.close())

test("signatures equal viem's byte for byte", async () => {
  for (const [index, account] of accounts.entries()) {
    for (const each of messages) {
      const signature = await pool.signFeeCommitment({ signer: account.address, message: each })
      expect(signature).toBe(await signWithViem(each, keys[index] as `0x${string}`))
      expect(await pool.findOwnSigner({ message: each, signature })).toBe(account.address)
    }
  }
})

test('the native and the portable signatures are the same', async () => {
  const native = await createFeeCommitmentSigners(keys, await loadEcdsa())
  const portable = await createFeeCommitmentSigners(keys, portableEcdsa)
  for (const each of messages) {
    const job = { signer: accounts[1].address, message: each }
    expect(portable.sign(job)).toBe(native.sign(job))
  }
})

test("the signer's address may be written in any case, and another address is refused", async () => {
  const signer = accounts[0].address.toLowerCase() as `0x${string}`
  expect(await pool.signFeeCommitment({ signer, message })).toBe(await signWithViem(message, keys[0]))
  const stranger = pool.signFeeCommitment({ signer: `0x${'33'.repeat(20)}`, message })
  await expect(stranger).rejects.toMatchObject({ code: 'unknown-signer' })
})

test.each<[string, Partial<FeeCommitmentMessage>]>([
  ['an amount of 2^256', { amount: 2n ** 256n }],
  ['a negative amount', { amount: -1n }],
  ['a negative expiration', { expiration: -1n }],
  ['a short asset', { asset: '0x1234' }],
  ['odd withdrawal data', { withdrawalData: '0x123' }],
  ['withdrawal data that is no hexadecimal', { withdrawalData: '0xzz' }],
])('a message with %s is neither signed nor recognised', async (_, change) => {
  const broken = { ...message, ...change }
  await expect(pool.signFeeCommitment({ signer: accounts[0].address, message: broken })).rejects.toThrow(
    /type/,
  )
  expect(
    await pool.findOwnSigner({ message: broken, signature: await signWithViem(message, keys[0]) }),
  ).toBeNull()
})

test('a changed signature or message is not recognised', async () => {
  const signature = await signWithViem(message, keys[0])
  const find = (candidate: string, about = message) =>
    pool.findOwnSigner({ message: about, signature: candidate as `0x${string}` })
  expect(await find(`0x${signature.slice(2).toUpperCase()}`)).toBe(accounts[0].address)

  const refused = [
    ...malleate(signature),
    await privateKeyToAccount(`0x${'44'.repeat(32)}`).signMessage({ message: 'else' }),
  ]
  for (const candidate of refused) expect(await find(candidate)).toBeNull()

  const changes: Partial<FeeCommitmentMessage>[] = [
    { chainId: 2 },
    { withdrawalData: '0x' },
    { asset: `0x${'1'.repeat(40)}` },
    { expiration: 1n },
    { amount: 1n },
    { extraGas: true },
  ]
  for (const change of changes) expect(await find(signature, { ...message, ...change })).toBeNull()
})
