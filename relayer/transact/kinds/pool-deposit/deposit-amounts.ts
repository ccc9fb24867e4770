/** Basis points of a whole. */
const BPS = 10_000n

/** What the Entrypoint keeps of a deposit, rounded down as it does (Entrypoint.sol of Privacy Pools v1). */
export const vettingFeeOf = (gross: bigint, vettingFeeBps: bigint): bigint => (gross * vettingFeeBps) / BPS

/** What the note of a deposit is worth, in the smallest unit. */
export const noteValueOf = (gross: bigint, vettingFeeBps: bigint): bigint =>
  gross - vettingFeeOf(gross, vettingFeeBps)

/**
 * The least deposit whose note is worth `net`, smallest unit: (net − 1) · 10,000 / (10,000 − vettingFeeBps) + 1.
 * @param net Above zero.
 * @param vettingFeeBps Below 10,000.
 */
export const grossOf = (net: bigint, vettingFeeBps: bigint): bigint =>
  ((net - 1n) * BPS) / (BPS - vettingFeeBps) + 1n

/** The least that a note can be worth where a deposit has a minimum: what a client may ask for. */
export function leastNetOf(minDeposit: bigint, vettingFeeBps: bigint): bigint {
  const net = noteValueOf(minDeposit, vettingFeeBps)
  if (net < 1n) return 1n
  return grossOf(net, vettingFeeBps) >= minDeposit ? net : net + 1n
}
