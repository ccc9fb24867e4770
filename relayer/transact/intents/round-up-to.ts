/** The first moment, at or after a given one, of a grid that all accounts share. Seconds since 1970. */
export const roundUpTo = (gridSeconds: number, moment: number): number =>
  Math.ceil(moment / gridSeconds) * gridSeconds

/** The grid of intents that may wait, in seconds. */
export const HOUR = 3_600
/** The grid of intents that may not wait for long, in seconds. */
export const FIVE_MINUTES = 300

/**
 * The first number, at or after a given one, with only zeros behind its first binary digits: one of 2^(digits − 1) between two
 * powers of two. What is public of an intent is rounded so, because an exact price or gas is one quote's own.
 * @param digits At least 1. With 4 the result exceeds `value` by less than an eighth, with 3 by less than a quarter.
 */
export function roundUpCoarsely(value: bigint, digits: number): bigint {
  const dropped = BigInt(Math.max(0, value.toString(2).length - digits))
  return ((value + (1n << dropped) - 1n) >> dropped) << dropped
}
