import type { Address, Hash, Hex } from 'viem'

/** How well a server says that sources fit; `exact_match` is told only where the metadata prove it. */
export type SourceMatch = 'exact_match' | 'match'

/** A function of a contract whose code we compared with the chain's. */
export interface VerifiedFunction {
  contractKind: 'contract' | 'proxy'
  /** As in Solidity: `function transfer(address to, uint256 value) returns (bool)`. */
  functionDeclaration: string
  /** keccak256 of the canonical signature; its first four bytes are the selector. */
  functionHash: Hash
  /** keccak256 of the code at the address that was asked about. */
  runtimeCodeHash: Hash
  match: SourceMatch
  runtimeMatch: SourceMatch
  sourceUrl: string
  /** Behind a proxy: the contract that has the function, and the hash of its code. */
  implementation: { address: Address; runtimeCodeHash: Hash } | null
}

/** What verified sources say of functions. */
export interface VerifiedSources {
  /**
   * The function of a contract that calldata with this selector runs.
   * @throws ServiceError `not-found` without code, verified source or such a function, or CODE_MISMATCH; `bad-gateway`
   * SOURCES_UNAVAILABLE.
   */
  find(asked: { chainId: number; address: Address; selector: Hex }): Promise<VerifiedFunction>
}
