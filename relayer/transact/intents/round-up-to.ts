/** The first moment, at or after a given one, of a grid that all accounts share. Seconds since 1970. */
export const roundUpTo = (gridSeconds: number, moment: number): number =>
  Math.ceil(moment / gridSeconds) * gridSeconds

/** The grid of intents that may wait, in seconds. */
export const HOUR = 3_600
/** The grid of intents that may not wait for long, in seconds. */
export const FIVE_MINUTES = 300
