import type { Hex } from 'viem'

/**
 * How much is known of a signature, the best first: of a standard or the service's own contracts, of a descriptor of the
 * clear-signing registry, of a contract whose source was verified, or merely reported by anybody.
 */
export const SIGNATURE_SOURCES = ['standard', 'descriptor', 'verified', 'reported'] as const
/** One of them. */
export type SignatureSource = (typeof SIGNATURE_SOURCES)[number]

/** A function or error that a selector may name. */
export interface SignatureCandidate {
  /** Canonical, `transfer(address,uint256)`; its hash begins with the selector. */
  signature: string
  source: SignatureSource
  /** Looks as if it was made so that its selector collides with another's. */
  suspicious: boolean
}

/** What is known of selectors. */
export interface FunctionSignatures {
  /**
   * The candidates of each selector, at most ten, the best first: by source, then those that do not look made up, then
   * the shortest. Empty where nothing is known; never fails on a selector.
   *
   * @param selectors Four bytes each, lower case.
   */
  lookup(selectors: readonly Hex[]): Promise<ReadonlyMap<Hex, readonly SignatureCandidate[]>>
}

/** The one candidate of the best source; null where there are several or none. */
export function pickSignature(candidates: readonly SignatureCandidate[]): string | null {
  const [first, second] = candidates
  if (!first || second?.source === first.source) return null
  return first.signature
}
