import { randomInt } from 'node:crypto'

const RESOLUTION = 2 ** 47

/**
 * Returns a number of at least 0 and below 1 from the system's source of randomness. Predictable times would let an observer
 * join the actions of an account.
 */
export const randomFraction = (): number => randomInt(RESOLUTION) / RESOLUTION
