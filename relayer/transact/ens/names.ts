import type { Address } from 'viem'

/** A name that stands for an address. */
export interface ResolvedName {
  /** As it is shown: normalized (ENSIP-15). */
  name: string
  service: 'ens'
  address: Address
}

/** Names instead of addresses. */
export interface Names {
  /** Whether a text is meant as a name rather than an address. */
  isName(text: string): boolean
  /**
   * The address that a name has on a chain; null when there is no such name, or none of our chains has a name service.
   * Names of the service's own accounts ask no chain.
   * @param asker Whoever asks, as the lookups of own names take it.
   * @throws ServiceError `too-many-requests` NAME_LOOKUPS_EXHAUSTED for an own name that was looked up too often.
   * @throws ServiceError `bad-gateway` when the chain or the name's own server gives no answer.
   */
  resolve(text: string, chainId: number, asker: string): Promise<ResolvedName | null>
  /** The address of a name's public picture; null when it has none, or none that can be had now. Never throws. */
  avatar(text: string): Promise<string | null>
}
