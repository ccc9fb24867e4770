import type { Plan, RecoveryChain, SearchOptions } from 'stealth-relay/client/recovery'

/** The terms of a search. */
export interface SearchTerms extends Pick<SearchOptions, 'gap' | 'since'> {
  chains: readonly RecoveryChain[]
}

/** A plan with the address that everything goes to. */
export interface Agreed {
  plan: Plan
  destination: `0x${string}`
}
