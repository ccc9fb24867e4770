import { defineError } from '../service-error.ts'

/** The known state of a chain's pools is too old, or a proof's state root would not last. */
export const poolStateRefreshing = defineError({
  code: 'POOL_STATE_REFRESHING',
  kind: 'unavailable',
  meaning:
    'The chain’s state is stale, or the pending relays would make the pool forget the state root of the proof.',
  retry: 'After `Retry-After` seconds; with a proof against a newer root where the message asks for one.',
  fundsState: 'Nothing was sent, and the service holds no note.',
  example: 'The pools of chain 1 are being read; try again in a moment',
})

/** The chain has no supported pool of the token for the account. */
export const poolNotFound = defineError({
  code: 'POOL_NOT_FOUND',
  kind: 'bad-request',
  about: 'token',
  meaning: 'No pool of that token is served on the chain, or none that the account may use.',
  retry: 'For a token of `supportedPools`.',
  fundsState: 'Nothing was sent and nothing was locked.',
  example: 'No pool of 0x6B175474E89094C44Da98b954EedeAC495271d0F is served on chain 1',
})

/** The account has no deposit with the label of that note. */
export const commitmentNotFound = defineError({
  code: 'COMMITMENT_NOT_FOUND',
  kind: 'not-found',
  meaning:
    'The account has no such note in the pool: it is another’s, was recovered, or is still on its way.',
  retry: 'With an id of `pool/commitments`.',
  fundsState: 'Nothing was sent, and nothing was written.',
  message: 'The account has no such note in this pool',
})

/** A settlement must not raise a deposit's remainder, nor lower its number of spends. */
export const settlementRefused = defineError({
  code: 'SETTLEMENT_REFUSED',
  kind: 'bad-request',
  meaning:
    'The settlement names a note twice, with no more withdrawals than the service knows, or with a higher value.',
  retry: 'After reading `pool/commitments` again.',
  fundsState: 'Nothing was sent, and nothing was written.',
  example: 'notes: of 1234567890 there are 5 left after 2 withdrawals',
})
