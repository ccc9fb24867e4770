import { defineError } from '../service-error.ts'

/** What is known of a chain's pools is too old to answer from, or a proof's state root would not last. */
export const poolStateRefreshing = defineError({
  code: 'POOL_STATE_REFRESHING',
  kind: 'unavailable',
  meaning:
    'The chain’s state is stale, or the relays under way would make the pool forget the state root of the proof.',
  retry: 'After `Retry-After` seconds; with a proof against a newer root where the message asks for one.',
  fundsState: 'Nothing was sent, and the service holds no note.',
  example: 'The pools of chain 1 are being read; try again in a moment',
})

/** The chain has no pool of the token that is served to the account. */
export const poolNotFound = defineError({
  code: 'POOL_NOT_FOUND',
  kind: 'bad-request',
  about: 'token',
  meaning: 'No pool of that token is served on the chain, or none that the account may use.',
  retry: 'For a token of `supportedPools`.',
  fundsState: 'Nothing was sent and nothing was locked.',
  example: 'No pool of 0x6B175474E89094C44Da98b954EedeAC495271d0F is served on chain 1',
})
