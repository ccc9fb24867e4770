import { type Hex, numberToHex } from 'viem'

/**
 * Sources of a signature, the best first. `standard`: a standard or the service's own contracts. `descriptor`: a
 * descriptor of the clear-signing registry. `verified`: a contract with verified source. `reported`: any report.
 */
export const SIGNATURE_SOURCES = ['standard', 'descriptor', 'verified', 'reported'] as const
/** One of {@link SIGNATURE_SOURCES}. */
export type SignatureSource = (typeof SIGNATURE_SOURCES)[number]

/** A function or error that a selector may name. */
export interface SignatureCandidate {
  /** Canonical, `transfer(address,uint256)`; its hash begins with the selector. */
  signature: string
  source: SignatureSource
  /** True if it looks made up to collide with another's selector. */
  suspicious: boolean
}

/** Looks selectors up. */
export interface FunctionSignatures {
  /**
   * Returns the candidates of each selector, at most ten, the best first. They are ordered by source, then those that
   * do not look made up, then the shortest. Empty if none is known; never fails on a selector.
   *
   * @param selectors Four bytes each, lower case.
   */
  lookup(selectors: readonly Hex[]): Promise<ReadonlyMap<Hex, readonly SignatureCandidate[]>>
}

/** Returns the one candidate of the best source; null if there are several or none. */
export function pickSignature(candidates: readonly SignatureCandidate[]): string | null {
  const [first, second] = candidates
  if (!first || second?.source === first.source) return null
  return first.signature
}

/** Converts four bytes to a signed number, as PostgreSQL's int4 holds them. */
export const numberOfSelector = (selector: Hex): number => Number(selector) | 0

/** Converts such a number back to four bytes, lower case. */
export const selectorOfNumber = (number: number): Hex => numberToHex(number >>> 0, { size: 4 })

/** Returns the number of a source in the table. */
export const storedSource = (source: SignatureSource): number => SIGNATURE_SOURCES.indexOf(source)

/** Returns the source of a number in the table; an unknown number counts as `reported`. */
export const nameOfStored = (number: number): SignatureSource => SIGNATURE_SOURCES[number] ?? 'reported'
