import type { Address } from 'viem'

/** A name that stands for an address. */
export interface ResolvedName {
  /** Normalized (ENSIP-15), as clients show it. */
  name: string
  service: 'ens'
  address: Address
}

/** Resolution of names to addresses and avatars. */
export interface Names {
  /** True if a text is meant as a name rather than an address. */
  isName(text: string): boolean
  /**
   * Returns the address of a name on a chain; null if the name does not exist, or no configured chain has a
   * name service. Names of the service's own accounts need no query to a chain.
   * @param asker The network or the sending account that asks, which the limit on look-ups of own names
   * counts.
   * @throws ServiceError `too-many-requests` NAME_LOOKUPS_EXHAUSTED for an own name that was looked up too
   * often.
   * @throws ServiceError `bad-gateway` when the chain or the name's own server gives no answer.
   */
  resolve(text: string, chainId: number, asker: string): Promise<ResolvedName | null>
  /**
   * Returns the URL of a name's public picture; null if it has none, or none that can be read now. Never
   * throws.
   */
  avatar(text: string): Promise<string | null>
}
