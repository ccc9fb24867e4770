/** Highest gas limit of a transaction (EIP-7825). */
export const MAX_TRANSACTION_GAS = 16_777_216n

/** Gas that the Orchestrator requires beyond the intent's own before it begins one (measured). */
export const OVERHEAD = 110_000n

/** Gas of sending one intent. */
export interface SendingGas {
  /** Signed with the intent. */
  combinedGas: bigint
  /** Gas of a transaction with this intent alone, before refunds. */
  transactionGas: bigint
}

/**
 * Returns the gas limit of a transaction that executes these intents: the expected use of each, the
 * combinedGas · 64/63 of each, and 110,000. With it the last intent has its full gas even if all others burn
 * theirs. A call passes on at most 63/64 of the remaining gas (EIP-150).
 */
export const batchGasLimit = (intents: readonly SendingGas[]): bigint =>
  intents.reduce((sum, one) => sum + one.transactionGas + withCallReserve(one.combinedGas), OVERHEAD)

/** Binary digits of the gas limit of intents sent alone: two limits between two powers of two. */
const LONE_DIGITS = 2

/**
 * Returns the same limit; for intents sent alone it is rounded up, by less than a half, to one that many of
 * them share. The limit is public, and the exact one would reveal the chain's state at the moment of the
 * quote. Unused gas costs nothing.
 */
export function publicGasLimit(intents: readonly (SendingGas & { alone: boolean })[]): bigint {
  const exact = batchGasLimit(intents)
  const rounded = roundUpCoarsely(exact, LONE_DIGITS)
  return intents.some(({ alone }) => alone) && rounded <= MAX_TRANSACTION_GAS ? rounded : exact
}

/** Returns the gas that a call needs to pass `gas` on (EIP-150). */
export function withCallReserve(gas: bigint): bigint {
  return (gas * 64n + 62n) / 63n
}

/** Rounds a moment up to a grid that all accounts share. Seconds since 1970. */
export const roundUpTo = (gridSeconds: number, moment: number): number =>
  Math.ceil(moment / gridSeconds) * gridSeconds

/** Grid for intents that may wait, in seconds. */
export const HOUR = 3_600
/** Grid for intents that may not wait long, in seconds. */
export const FIVE_MINUTES = 300

/**
 * Rounds up to a number whose binary digits after the first `digits` are zero: one of 2^(digits − 1) between two powers
 * of two. Public gas and fees of an intent are rounded so, because exact values are unique to one quote.
 * @param digits At least 1. With 4 the result exceeds `value` by less than an eighth, with 3 by less than a quarter.
 */
export function roundUpCoarsely(value: bigint, digits: number): bigint {
  const dropped = BigInt(Math.max(0, value.toString(2).length - digits))
  return ((value + (1n << dropped) - 1n) >> dropped) << dropped
}
