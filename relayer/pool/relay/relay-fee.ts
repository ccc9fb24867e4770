import type { GasCost } from './withdrawals.ts'
import type { Address, Hex } from 'viem'
import type { FeeCommitmentMessage } from '../../../proving/proving-pool.ts'

/** Inputs of the relay fee. */
export interface RelayFeeInput {
  baseFeeBps: bigint
  /** Wei per gas. */
  gasPrice: bigint
  /** Gas of everything that the fee has to cover: the relay, and with extraGas its top-up and the granted gas. */
  gas: readonly bigint[]
  /** The withdrawn amount's worth in wei of native coin. */
  amountInWei: bigint
}

/** Returns gas with its exact cost: gas · gasPrice. */
export const gasCost = (gas: bigint, gasPrice: bigint): GasCost => ({ gas, eth: gas * gasPrice })

/**
 * relayFee in basis points: baseFeeBPS + floor(10000 · gasPrice · Σ gas / amount-in-native-value). Published clients
 * recompute it. Null if the amount is worth nothing.
 */
export function computeRelayFeeBps({ baseFeeBps, gasPrice, gas, amountInWei }: RelayFeeInput): bigint | null {
  if (amountInWei <= 0n) return null
  const total = gas.reduce((sum, part) => sum + part, 0n)
  return baseFeeBps + (10_000n * gasPrice * total) / amountInWei
}

/**
 * Returns the smallest worth in wei for which {@link computeRelayFeeBps} stays within a limit; null if the limit
 * leaves no room for gas.
 */
export function smallestAmountInWei(
  input: Omit<RelayFeeInput, 'amountInWei'>,
  maxFeeBps: bigint,
): bigint | null {
  const room = maxFeeBps - input.baseFeeBps
  if (room < 0n) return null
  const total = input.gas.reduce((sum, part) => sum + part, 0n)
  // floor(n / x) ≤ room  ⇔  x > n / (room + 1)
  return (10_000n * input.gasPrice * total) / (room + 1n) + 1n
}

/** The terms on which the relayer promises to relay a withdrawal until `expiration`. */
export interface FeeTerms {
  /** Milliseconds since the epoch. */
  expiration: number
  asset: Address
  /** abi.encode of the relay data: the recipient, the service's fee receiver and the fee. */
  withdrawalData: Hex
  extraGas: boolean
  /** Smallest unit. */
  amount: bigint
}

/** The terms with the relayer's EIP-712 signature, as sent to the client and back. */
export interface FeeCommitment extends FeeTerms {
  signedRelayerCommitment: Hex
}

/** Returns the message that a fee commitment's signature covers: all terms, and the chain. */
export function messageOf(
  chainId: number,
  { expiration, asset, withdrawalData, extraGas, amount }: FeeTerms,
): FeeCommitmentMessage {
  return { chainId, withdrawalData, asset, expiration: BigInt(expiration), amount, extraGas }
}
