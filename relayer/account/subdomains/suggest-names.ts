import { randomInt } from 'node:crypto'
import { english } from 'viem/accounts'

/** Random names of two words; `withNumber` appends four digits, for when the words are taken. */
export function suggestNames(count: number, withNumber: boolean): string[] {
  return Array.from({ length: count }, () => {
    const words = `${pickWord()}-${pickWord()}`
    return withNumber ? `${words}-${randomInt(1_000, 10_000)}` : words
  })
}

/** BIP-39's list: 2,048 short plain words, chosen so that they are not mistaken for each other. */
function pickWord(): string {
  return english[randomInt(english.length)] ?? ''
}
