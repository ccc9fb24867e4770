import type { Address } from 'viem'

/** Thresholds above which an address counts as an imitation of another. */
export interface PoisoningThresholds {
  /** Least equal hex digits at each end. */
  minPrefix: number
  minSuffix: number
  /** Least equal hex digits at both ends together; either threshold suffices. */
  minTotal: number
}

/** Wallets show about four digits of each end. Three of each, equal by chance in one of 17 million, already deceive. */
const USUAL_THRESHOLDS: PoisoningThresholds = { minPrefix: 3, minSuffix: 3, minTotal: 9 }

const DIGITS = 40

/** Counts the equal hex digits at the beginning, after 0x, and at the end of two addresses, ignoring case. */
function countMatching(one: Address, other: Address): { prefix: number; suffix: number } {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()]
  let prefix = 0
  while (prefix < DIGITS && a[2 + prefix] === b[2 + prefix]) prefix += 1
  let suffix = 0
  while (suffix < DIGITS && a[1 + DIGITS - suffix] === b[1 + DIGITS - suffix]) suffix += 1
  return { prefix, suffix }
}

/** An imitation of a known address, with the number of equal digits at each end. */
export interface PoisoningMatch<Known> {
  /** The imitated address. */
  known: Known
  matchedPrefixCharsCount: number
  matchedSuffixCharsCount: number
}

/**
 * Finds the known address that another one imitates best, or null. An address that is itself known imitates none. Of
 * equally similar ones it returns the first.
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
