import { randomInt } from 'node:crypto'
import { english } from 'viem/accounts'

/** Makes random names of two words; `withNumber` appends four digits. */
export function suggestNames(count: number, withNumber: boolean): string[] {
  return Array.from({ length: count }, () => {
    const words = `${pickWord()}-${pickWord()}`
    return withNumber ? `${words}-${randomInt(1_000, 10_000)}` : words
  })
}

/** Picks from BIP-39's list: 2,048 short plain words that are hard to confuse. */
function pickWord(): string {
  return english[randomInt(english.length)] ?? ''
}
