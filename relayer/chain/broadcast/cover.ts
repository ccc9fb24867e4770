import { extraFeeOf, NO_EXTRA_FEES } from '../nodes/sending-price.ts'
import { computeFees, meetsMarket, type Fees } from './compute-fees.ts'
import { readMarket, type Outbox } from './outbox.ts'
import { bytesOf, type UnsignedCall } from './sign-attempt.ts'

/** The cover of a transaction's fee, and the factors of its cost. */
export interface CoveredCall {
  /** Wei; null where nothing is paid for it, so that only the chain's cap applies. */
  covered: bigint | null
  /** Gas that it is expected to use. */
  likelyGas: bigint | null
  value: bigint
  /** Size without its signature. */
  bytes: number
}

/** The reason of a transaction that is not sent. */
export const UNCOVERED = 'its fee does not cover what sending costs now'

/** Returns the {@link CoveredCall} of a stored call. */
export const coveredCall = (
  call: Pick<UnsignedCall, 'data' | 'value' | 'authorizations'> & Pick<CoveredCall, 'covered' | 'likelyGas'>,
): CoveredCall => ({
  covered: call.covered,
  likelyGas: call.likelyGas,
  value: call.value,
  bytes: bytesOf(call),
})

/** Returns the wei per gas at which it costs `percent` more than its fee covers; null where nothing bounds it. */
function priceAbove(outbox: Outbox, { covered, likelyGas, value, bytes }: CoveredCall, percent: number) {
  if (covered === null || likelyGas === null) return null
  const extra = extraFeeOf(outbox.chain.extraFees() ?? NO_EXTRA_FEES, { gas: likelyGas, bytes })
  const left = (covered * BigInt(100 + percent)) / 100n - value - extra
  return left > 0n && likelyGas > 0n ? left / likelyGas : 0n
}

/** True if its fee covers the price of the next block, within the tolerance; also while that price is unknown. */
export function isCovered(outbox: Outbox, call: CoveredCall): boolean {
  const market = readMarket(outbox)
  const price = priceAbove(outbox, call, outbox.config.coverTolerancePercent)
  return !market || price === null || market.baseFee + market.tip <= price
}

/**
 * Returns the most that any form of it may offer per gas, within the chain's cap: it never costs more than the overrun
 * allows.
 */
export function capWithin(outbox: Outbox, call: CoveredCall): bigint {
  const { coverTolerancePercent, maxOverrunPercent } = outbox.config
  const { maxGasPrice } = outbox.chain.config.relayer
  const price = priceAbove(outbox, call, Math.max(coverTolerancePercent, maxOverrunPercent))
  return price === null || price > maxGasPrice ? maxGasPrice : price
}

/**
 * True if the chain accepts only a price that its fee forbids: it cannot be mined then, and later transactions wait behind
 * it.
 */
export function isPricedOut(outbox: Outbox, call: CoveredCall): boolean {
  const market = readMarket(outbox)
  if (!market) return false
  const canMeet = (cap: bigint) => meetsMarket(computeFees(market, cap), market)
  return canMeet(outbox.chain.config.relayer.maxGasPrice) && !canMeet(capWithin(outbox, call))
}

/** Limits fees to a cap. */
export function lowerFees({ maxFeePerGas, maxPriorityFeePerGas }: Fees, cap: bigint): Fees {
  const most = maxFeePerGas < cap ? maxFeePerGas : cap
  return {
    maxFeePerGas: most,
    maxPriorityFeePerGas: maxPriorityFeePerGas < most ? maxPriorityFeePerGas : most,
  }
}
