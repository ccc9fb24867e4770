import type { RecoveryChain, SearchOptions } from 'stealth-relay/client/recovery'

/** The terms of a search. */
export interface SearchTerms extends Pick<SearchOptions, 'gap' | 'since'> {
  chains: readonly RecoveryChain[]
}
