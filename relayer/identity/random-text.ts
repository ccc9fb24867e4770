import { randomInt } from 'node:crypto'

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Excludes characters that people confuse when they type. */
const LEGIBLE = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

function pick(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/** Returns random letters and digits: 5.95 bits each. */
export const randomText = (length: number) => pick(ALPHANUMERIC, length)

/** Returns random capitals and digits for people to type: 4.9 bits each. */
export const randomLegible = (length: number) => pick(LEGIBLE, length)
