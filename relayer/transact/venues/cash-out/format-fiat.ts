/** Scale of a rate. */
const RATE_ONE = 10n ** 18n
const CENTS = 100n

/**
 * Formats the value of a token amount at a rate, with two decimals, rounded down, and its currency: `12.34 USD`.
 * @param amount Smallest unit of a token with `decimals` decimals.
 * @param rate Price of one whole token, times 1e18.
 */
export function formatFiat(
  amount: bigint,
  decimals: number,
  { rate, currency }: { rate: bigint; currency: string },
): string {
  const cents = (amount * rate * CENTS) / (RATE_ONE * 10n ** BigInt(decimals))
  return `${cents / CENTS}.${String(cents % CENTS).padStart(2, '0')} ${currency}`
}

const FRACTION = 18

/** Formats a rate as decimal digits without trailing zeros: `0.9985`. */
export function formatRate(rate: bigint): string {
  const [whole, fraction] = [rate / RATE_ONE, String(rate % RATE_ONE).padStart(FRACTION, '0')]
  const shown = fraction.replace(/0+$/, '')
  return shown === '' ? String(whole) : `${whole}.${shown}`
}
