import type { Address } from 'viem'

/** From where an address counts as an imitation of another. */
export interface PoisoningThresholds {
  /** Equal hex digits at both ends … */
  minPrefix: number
  minSuffix: number
  /** … or in all, however they are shared out. */
  minTotal: number
}

/** Wallets show four digits or so of each end: three of each, equal by chance in one of 17 million, already deceive. */
const USUAL_THRESHOLDS: PoisoningThresholds = { minPrefix: 3, minSuffix: 3, minTotal: 9 }

const DIGITS = 40

/** Equal hex digits at the beginning, after 0x, and at the end of two addresses, whatever their case. */
function countMatching(one: Address, other: Address): { prefix: number; suffix: number } {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()]
  let prefix = 0
  while (prefix < DIGITS && a[2 + prefix] === b[2 + prefix]) prefix += 1
  let suffix = 0
  while (suffix < DIGITS && a[1 + DIGITS - suffix] === b[1 + DIGITS - suffix]) suffix += 1
  return { prefix, suffix }
}

/** An address that imitates a known one, and by how many digits at each end. */
export interface PoisoningMatch<Known> {
  /** The known address that is imitated. */
  known: Known
  matchedPrefixCharsCount: number
  matchedSuffixCharsCount: number
}

/**
 * The known address that another one imitates best, or null. An address that is itself known imitates nobody. Of
 * equally similar ones the first.
 */
export function matchPoisoning<Known extends { address: Address }>(
  address: Address,
  known: readonly Known[],
  thresholds: PoisoningThresholds = USUAL_THRESHOLDS,
): PoisoningMatch<Known> | null {
  const { minPrefix, minSuffix, minTotal } = thresholds
  let best: PoisoningMatch<Known> | null = null
  let most = -1
  for (const candidate of known) {
    const { prefix, suffix } = countMatching(address, candidate.address)
    if (prefix === DIGITS) return null
    const total = prefix + suffix
    const deceives = (prefix >= minPrefix && suffix >= minSuffix) || total >= minTotal
    if (!deceives || total <= most) continue
    best = { known: candidate, matchedPrefixCharsCount: prefix, matchedSuffixCharsCount: suffix }
    most = total
  }
  return best
}
