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

/** So much that a call can pass `gas` on (EIP-150). */
export function withCallReserve(gas: bigint): bigint {
  return (gas * 64n + 62n) / 63n
}
