import { privateKeyToAccount } from 'viem/accounts'
import type { FeeCommitmentMessage } from '../../../proving/proving-pool.ts'

export const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

export const message: FeeCommitmentMessage = {
  chainId: 1,
  withdrawalData: `0x${'ab'.repeat(96)}`,
  asset: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
  expiration: 1_800_000_000_000n,
  amount: 10n ** 18n,
  extraGas: false,
}

/** The same with limits and unusual values in its members. */
export const messages: FeeCommitmentMessage[] = [
  message,
  { ...message, chainId: 31_337, extraGas: true },
  { ...message, chainId: 0xffff_ffff_ffff, amount: 0n, expiration: 0n },
  { ...message, amount: 2n ** 256n - 1n, expiration: 2n ** 255n + 1n },
  { ...message, withdrawalData: '0x' },
  { ...message, withdrawalData: `0x${'00'.repeat(1_000)}`, asset: `0x${'0'.repeat(40)}` },
  ...Array.from({ length: 20 }, (_, index) => ({ ...message, amount: BigInt(index) ** 30n })),
]

export function signWithViem({ chainId, ...rest }: FeeCommitmentMessage, key: `0x${string}`) {
  return privateKeyToAccount(key).signTypedData({
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

/** Other forms of a signature that a careless recovery accepts; none of them is the original. */
export function malleate(signature: string): string[] {
  const r = signature.slice(2, 66)
  const s = signature.slice(66, 130)
  const highS = (CURVE_ORDER - BigInt(`0x${s}`)).toString(16).padStart(64, '0')
  const [v, otherV] = signature.endsWith('1b') ? ['0', '1c'] : ['1', '1b']
  return [
    `0x${r}${highS}${otherV}`, // the other signature of the same key, which recovers as well
    `0x${r}${s}${otherV}`,
    `0x${r}${s}0${v}`,
    signature.slice(0, -2),
    `${signature}00`,
    signature.slice(2),
    `0x${'0'.repeat(128)}1b`,
    `0x${'f'.repeat(128)}1b`,
    '0x',
    '',
    'not a signature',
  ]
}
