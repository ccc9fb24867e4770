import { z } from 'zod'
import { address, amount, chainId } from '../../define/scalars.ts'
import { described, shape } from '../../define/shape.ts'

/** The most addresses in one request. */
const MAX_ADDRESSES = 1_000
/** More addresses never pay together. */
const MAX_JOINED = 32

export const spendableAddresses = described(
  z.array(address).min(1).max(MAX_ADDRESSES).optional(),
  'The account’s addresses that alone may pay; without it any of them may.',
)

/** Members of every request to quote. */
export const requestMembers = {
  chainId,
  spendableAddresses,
  singleAddress: described(
    address.nullish(),
    'The one address of the account that is to pay; null lets the service choose.',
  ),
  executionSimulation: described(z.unknown().optional(), 'Accepted and ignored: every quote is simulated.'),
  ttl: described(
    z.int().min(10).max(86_400).optional(),
    'Seconds until the quote ends and its funds are free again; the service chooses without it.',
  ),
}

/** Members of every request for the maximum that can be spent. */
export const maxRequestMembers = {
  chainId,
  token: described(address, 'Contract of the token to spend; the zero address is the native coin.'),
  spendableAddresses,
}

const acknowledgedMatch = shape(
  'AcknowledgedPoisoningMatch',
  'A likeness that the user has looked at and accepts.',
  {
    recipientAddress: described(address, '`resolvedAddress` of the 409: the address that imitates.'),
    matchedAddress: described(address, '`matchedAddress` of the 409: the known address.'),
  },
)

/** Members of a request for an amount of a token. */
export const amountMembers = {
  token: described(
    address.optional(),
    'Contract of the token to send, to deposit into its pool, or to sell for money; the zero address is the native coin. Needed but for a swap.',
  ),
  amount: described(
    amount.optional(),
    'What the recipient is to get, the notes of a pool to be worth, or is to be sold for money or taken back, in the smallest unit. Ignored with `maxSend`.',
  ),
  maxSend: described(z.boolean().optional(), 'True sends, deposits or sells all that can be after fees.'),
}

/** Members of a request that name the recipient. */
export const recipientMembers = {
  decimals: described(
    z.int().min(0).max(255).optional(),
    'Decimals of the spent token as the client knows it; 400 DECIMALS_MISMATCH if it has others.',
  ),
  destinationAddress: described(
    z.string().min(1).max(255).optional(),
    'Whom to pay: an address or a name. A send needs it.',
  ),
  acknowledgedAddressPoisoningMatch: described(
    acknowledgedMatch.nullish(),
    'The pair of the 409 that the user has looked at and accepts; no other pair counts.',
  ),
  acknowledgedProvenanceMix: described(
    z.array(address).min(2).max(MAX_JOINED).nullish(),
    'The addresses of a 400 PROVENANCE_MIX, if the user accepts that they are joined on chain: exactly those that pay, no more and no less. `spendableAddresses` accepts nothing.',
  ),
  acknowledgedContractRecipient: described(
    address.nullish(),
    '`resolvedAddress` of a 400 CONTRACT_RECIPIENT that the user accepts.',
  ),
}
