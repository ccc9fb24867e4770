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
