/** What the Orchestrator wants left beyond the intent's own gas, before it begins one (measured). */
const OVERHEAD = 110_000n

/** What sending one intent takes. */
export interface IntentGas {
  /** Signed with the intent. */
  combinedGas: bigint
  /** Gas of a transaction of its own, before refunds. */
  transactionGas: bigint
}

/**
 * Gas limit of a transaction that executes these intents: Σ expected use + one combinedGas · 64/63 + 110,000. The
 * last intent needs its full combinedGas in hand although it uses less, and a call may pass on at most 63/64 of what
 * is left (EIP-150).
 */
export function batchGasLimit(intents: readonly IntentGas[]): bigint {
  const used = intents.reduce((sum, { transactionGas }) => sum + transactionGas, 0n)
  const largest = intents.reduce((most, { combinedGas }) => (combinedGas > most ? combinedGas : most), 0n)
  return used + withCallReserve(largest) + OVERHEAD
}

/** So much that a call can pass `gas` on (EIP-150). */
export function withCallReserve(gas: bigint): bigint {
  return (gas * 64n + 62n) / 63n
}
