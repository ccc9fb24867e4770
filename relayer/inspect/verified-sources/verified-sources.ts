import type { Address, Hash, Hex } from 'viem'

/** The quality of a match; `exact_match` only if the metadata prove it. */
export type SourceMatch = 'exact_match' | 'match'

/** A function of a contract whose code equals the compared sources. */
export interface VerifiedFunction {
  contractKind: 'contract' | 'proxy'
  /** As in Solidity: `function transfer(address to, uint256 value) returns (bool)`. */
  functionDeclaration: string
  /** keccak256 of the canonical signature; its first four bytes are the selector. */
  functionHash: Hash
  /** keccak256 of the code at the requested address. */
  runtimeCodeHash: Hash
  match: SourceMatch
  runtimeMatch: SourceMatch
  sourceUrl: string
  /** The contract behind a proxy that has the function, and the hash of its code; else null. */
  implementation: { address: Address; runtimeCodeHash: Hash } | null
}

/** Looks functions up in verified sources. */
export interface VerifiedSources {
  /**
   * Finds the function of a contract that calldata with this selector runs.
   * @throws ServiceError `not-found` without code, verified source or such a function, or CODE_MISMATCH;
   * `bad-gateway` SOURCES_UNAVAILABLE.
   */
  find(asked: { chainId: number; address: Address; selector: Hex }): Promise<VerifiedFunction>
}
