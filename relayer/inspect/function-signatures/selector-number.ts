import { numberToHex, type Hex } from 'viem'

/** Four bytes as PostgreSQL's int4 holds them: signed. */
export const numberOfSelector = (selector: Hex): number => Number(selector) | 0

/** The four bytes of such a number, lower case. */
export const selectorOfNumber = (number: number): Hex => numberToHex(number >>> 0, { size: 4 })
