import { describe, expect, it } from 'vitest'
import { operations } from '../../schema/features.ts'

/** Requests per minute that the contract allows. */
const LIMITS: Record<number, string[]> = {
  10: [
    'POST /v1/verify',
    'POST /v1/extension-authorizations',
    'POST /v1/oauth/token',
    'POST /v1/accounts/{accountId}/tokens',
  ],
  20: ['GET /v1/nonce'],
  30: [
    'GET /v1/referrals/availability',
    'GET /v1/referrals/by-name/{name}/resolve',
    'GET /v1/referrals/{code}/preview',
    'POST /v1/accounts/{accountId}/quote',
    'POST /v1/accounts/{accountId}/swap-preview',
  ],
  60: [
    'GET /v1/accounts/{accountId}/addresses',
    'GET /v1/accounts/{accountId}/funded-addresses',
    'GET /v1/accounts/{accountId}/dapp-addresses',
    'GET /v1/accounts/{accountId}/address-ownership',
    'GET /v1/accounts/{accountId}/tokens/{chainId}/{address}',
    'GET /v1/accounts/{accountId}/referrals/attribution',
    'DELETE /v1/accounts/{accountId}/referrals/attribution',
    'GET /v1/accounts/{accountId}/referrals/summary',
    'POST /v1/accounts/{accountId}/referrals/profile',
    'GET /v1/accounts/{accountId}/balance',
    'GET /v1/accounts/{accountId}/balance/{chainId}',
    'GET /v1/accounts/{accountId}/balance/{chainId}/{token}',
    'GET /v1/accounts/{accountId}/address-balances',
    'POST /v1/accounts/{accountId}/activities/pending/status',
    'GET /v1/accounts/{accountId}/activity-notes',
    'PUT /v1/accounts/{accountId}/activity-notes',
    'GET /v1/accounts/{accountId}/deposit-review/summary',
    'GET /v1/accounts/{accountId}/deposit-review',
    'POST /v1/accounts/{accountId}/deposit-review/seen',
    'PUT /v1/accounts/{accountId}/deposit-review/skipped/{address}',
    'DELETE /v1/accounts/{accountId}/deposit-review/skipped/{address}',
    'GET /v1/accounts/{accountId}/provenance-address-tags',
    'PUT /v1/accounts/{accountId}/provenance-address-tags/{address}',
    'GET /v1/accounts/{accountId}/destination-avatar',
    'GET /v1/accounts/{accountId}/recipient-address-kind',
    'GET /v1/accounts/{accountId}/contact-email',
    'PUT /v1/accounts/{accountId}/contact-email',
    'DELETE /v1/accounts/{accountId}/contact-email',
    'PUT /v1/accounts/{accountId}/profile-prompts/{promptId}/dismissal',
    'GET /v1/accounts/{accountId}/address-book',
    'GET /v1/accounts/{accountId}/address-book/ownership/{address}',
    'PUT /v1/accounts/{accountId}/address-book/{address}',
    'DELETE /v1/accounts/{accountId}/address-book/{address}',
  ],
  120: ['GET /v1/clear-signing/descriptor', 'GET /v1/clear-signing/sourcify-function'],
}

/** Ours, where the contract names none: for proofs and simulations, also those that fail, and for long answers. */
const OWN_LIMITS: Record<string, number> = {
  'GET /v1/accounts/{accountId}/activities': 240,
  'POST /v1/accounts/{accountId}/activities/search': 240,
  'GET /v1/accounts/{accountId}/activities/pending': 240,
  'GET /v1/accounts/{accountId}/pool/state': 60,
  'POST /v1/function-signatures': 60,
  'POST /v1/simulate': 60,
  'PUT /v1/accounts/{accountId}/custom-ens-name': 60,
  'DELETE /v1/accounts/{accountId}/custom-ens-name': 60,
  'POST /v1/accounts/{accountId}/dapp-addresses': 60,
  'POST /v1/accounts/{accountId}/pool-recover/prepare': 30,
  'PUT /v1/accounts/{accountId}/pool/commitments': 30,
  'POST /v1/accounts/{accountId}/offramp-preview': 30,
  'POST /v1/accounts/{accountId}/submit': 60,
}

/** Ours for everything else: of an account, and of a network without a login. */
const BY_DEFAULT = { bearer: 1_200, public: 60_000, optional: 60_000 }

/** Ours beside the contract's, which may have limits of their own. */
const contract = (rest: string) => rest.includes(' /v1/') || rest.includes(' /relayer/')

describe.each(
  operations.filter(({ rest }) => contract(rest)).map((operation) => [operation.rest, operation] as const),
)('%s', (rest, operation) => {
  const limit = Object.keys(LIMITS)
    .map(Number)
    .find((each) => LIMITS[each]?.includes(rest))

  it('has the documented rate limit, or else the one of all others', () => {
    expect(operation.limit).toBe(limit ?? OWN_LIMITS[rest] ?? BY_DEFAULT[operation.access])
  })
})
