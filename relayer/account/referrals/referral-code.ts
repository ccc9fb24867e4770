import { randomInt } from 'node:crypto'

/** Crockford's base 32: no letter that looks like a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 10
const FORM = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)

/** Makes a new code of 50 bits, too many to guess. */
export function makeReferralCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

/** Normalizes a code that a person typed; null for text that is no code. */
export function readReferralCode(text: string): string | null {
  if (text.length > 2 * LENGTH) return null
  const code = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return FORM.test(code) ? code : null
}
