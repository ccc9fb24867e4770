import { roundUpCoarsely } from './round-up-to.ts'

/** EIP-7825: no transaction may have more. */
export const MAX_TRANSACTION_GAS = 16_777_216n

/** What the Orchestrator wants left beyond the intent's own gas, before it begins one (measured). */
export const OVERHEAD = 110_000n

/** What sending one intent takes. */
export interface IntentGas {
  /** Signed with the intent. */
  combinedGas: bigint
  /** Gas of a transaction of its own, before refunds. */
  transactionGas: bigint
}

/**
 * Gas limit of a transaction that executes these intents: what each is expected to use, the combinedGas · 64/63 of each, and
 * 110,000. All of them may burn all their gas, and the last still has its own. A call passes on at most 63/64 of the
 * remaining gas (EIP-150).
 */
export const batchGasLimit = (intents: readonly IntentGas[]): bigint =>
  intents.reduce((sum, one) => sum + one.transactionGas + withCallReserve(one.combinedGas), OVERHEAD)

/** Binary digits of the gas limit of intents that travel alone: two limits between two powers of two. */
const LONE_DIGITS = 2

/**
 * The same; with intents that travel alone it is rounded up, by less than a half, to one that many of them share. It is public, and
 * the exact one depends on the state at the moment of its quote. What is not used costs nothing.
 */
export function publicGasLimit(intents: readonly (IntentGas & { alone: boolean })[]): bigint {
  const exact = batchGasLimit(intents)
  const rounded = roundUpCoarsely(exact, LONE_DIGITS)
  return intents.some(({ alone }) => alone) && rounded <= MAX_TRANSACTION_GAS ? rounded : exact
}

/** So much that a call can pass `gas` on (EIP-150). */
export function withCallReserve(gas: bigint): bigint {
  return (gas * 64n + 62n) / 63n
}
