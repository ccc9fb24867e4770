/** Basis points of a whole. */
const BPS = 10_000n

/** Returns the Entrypoint's fee on a deposit, rounded down (Entrypoint.sol of Privacy Pools v1). */
export const vettingFeeOf = (gross: bigint, vettingFeeBps: bigint): bigint => (gross * vettingFeeBps) / BPS

/** Returns the value of a deposit's note, in the smallest unit. */
export const noteValueOf = (gross: bigint, vettingFeeBps: bigint): bigint =>
  gross - vettingFeeOf(gross, vettingFeeBps)

/**
 * Returns the least deposit whose note is worth `net`, smallest unit: (net − 1) · 10,000 / (10,000 − vettingFeeBps) +
 * 1.
 * @param net Above zero.
 * @param vettingFeeBps Below 10,000.
 */
export const grossOf = (net: bigint, vettingFeeBps: bigint): bigint =>
  ((net - 1n) * BPS) / (BPS - vettingFeeBps) + 1n

/** Returns the least value of a note under a minimum deposit: the least that a client may request. */
export function leastNetOf(minDeposit: bigint, vettingFeeBps: bigint): bigint {
  const net = noteValueOf(minDeposit, vettingFeeBps)
  if (net < 1n) return 1n
  return grossOf(net, vettingFeeBps) >= minDeposit ? net : net + 1n
}
