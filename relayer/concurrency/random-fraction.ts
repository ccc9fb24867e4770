import { randomInt } from 'node:crypto'

const RESOLUTION = 2 ** 47

/**
 * At least 0 and below 1, from the system's source of randomness: whoever could foresee the times of what an account does would
 * know what belongs together.
 */
export const randomFraction = (): number => randomInt(RESOLUTION) / RESOLUTION
