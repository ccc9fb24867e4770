/** The first moment of a grid that all accounts share, not before a given one. Seconds since 1970. */
export const roundUpTo = (gridSeconds: number, moment: number): number =>
  Math.ceil(moment / gridSeconds) * gridSeconds

/** The grid of what may wait, in seconds. */
export const HOUR = 3_600
/** The grid of what may not wait for long, in seconds. */
export const FIVE_MINUTES = 300
