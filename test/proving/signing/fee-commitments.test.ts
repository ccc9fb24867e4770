import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProvingPool } from '../../../proving/create-proving-pool.ts'
import type { FeeCommitmentMessage, ProvingPool } from '../../../proving/proving-pool.ts'
import { loadEcdsa, portableEcdsa } from '../../../proving/signing/ecdsa.ts'
import { createFeeCommitmentSigners } from '../../../proving/signing/fee-commitment-signers.ts'

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const keys = [`0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`] as const
const accounts = keys.map((key) => privateKeyToAccount(key)) as [
  ReturnType<typeof privateKeyToAccount>,
  ReturnType<typeof privateKeyToAccount>,
]

const message: FeeCommitmentMessage = {
  chainId: 1,
  withdrawalData: `0x${'ab'.repeat(96)}`,
  asset: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
  expiration: 1_800_000_000_000n,
  amount: 10n ** 18n,
  extraGas: false,
}
const messages: FeeCommitmentMessage[] = [
  message,
  { ...message, chainId: 31_337, extraGas: true },
  { ...message, chainId: 0xffff_ffff_ffff, amount: 0n, expiration: 0n },
  { ...message, amount: 2n ** 256n - 1n, expiration: 2n ** 255n + 1n },
  { ...message, withdrawalData: '0x' },
  { ...message, withdrawalData: `0x${'00'.repeat(1_000)}`, asset: `0x${'0'.repeat(40)}` },
  ...Array.from({ length: 20 }, (_, index) => ({ ...message, amount: BigInt(index) ** 30n })),
]

function signWithViem({ chainId, ...rest }: FeeCommitmentMessage, account = accounts[0]) {
  return account.signTypedData({
    domain: { name: 'Privacy Pools Relayer', version: '1', chainId },
    types: {
      RelayerCommitment: [
        { name: 'withdrawalData', type: 'bytes' },
        { name: 'asset', type: 'address' },
        { name: 'expiration', type: 'uint256' },
        { name: 'amount', type: 'uint256' },
        { name: 'extraGas', type: 'bool' },
      ],
    },
    primaryType: 'RelayerCommitment',
    message: rest,
  })
}

let pool: ProvingPool
beforeAll(async () => {
  pool = await createProvingPool({ threads: 1, commitmentKeys: keys })
})
afterAll(() => pool.close())

test('signatures equal those of viem to the byte', async () => {
  for (const account of accounts) {
    for (const each of messages) {
      const signature = await pool.signFeeCommitment({ signer: account.address, message: each })
      expect(signature).toBe(await signWithViem(each, account))
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

test('the signer may be written in any case; a stranger is refused', async () => {
  const signer = accounts[0].address.toLowerCase() as `0x${string}`
  expect(await pool.signFeeCommitment({ signer, message })).toBe(await signWithViem(message))
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
  expect(await pool.findOwnSigner({ message: broken, signature: await signWithViem(message) })).toBeNull()
})

test('only the very signature and the very message are recognised', async () => {
  const signature = await signWithViem(message)
  const find = (candidate: string, about = message) =>
    pool.findOwnSigner({ message: about, signature: candidate as `0x${string}` })
  expect(await find(`0x${signature.slice(2).toUpperCase()}`)).toBe(accounts[0].address)

  const r = signature.slice(2, 66)
  const s = BigInt(`0x${signature.slice(66, 130)}`)
  const highS = (CURVE_ORDER - s).toString(16).padStart(64, '0')
  const otherV = signature.endsWith('1b') ? '1c' : '1b'
  const refused = [
    `0x${r}${highS}${otherV}`, // the other signature of the same key, which recovers as well
    `0x${r}${signature.slice(66, 130)}${otherV}`,
    `0x${r}${signature.slice(66, 130)}0${signature.endsWith('1b') ? 0 : 1}`,
    signature.slice(0, -2),
    `${signature}00`,
    signature.slice(2),
    '0x',
    '',
    'not a signature',
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
