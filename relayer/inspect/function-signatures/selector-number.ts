import { numberToHex, type Hex } from 'viem'

/** Converts four bytes to a signed number, as PostgreSQL's int4 holds them. */
export const numberOfSelector = (selector: Hex): number => Number(selector) | 0

/** Converts such a number back to four bytes, lower case. */
export const selectorOfNumber = (number: number): Hex => numberToHex(number >>> 0, { size: 4 })
