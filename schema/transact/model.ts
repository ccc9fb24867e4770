import { z } from 'zod'
import { accountPath } from '../define/account-operation.ts'
import { address, bytes, chainId, digits, dollars } from '../define/scalars.ts'
import { described, parameters, shape } from '../define/shape.ts'
import { maxRequestMembers, requestMembers } from './kinds/kind-shapes.ts'
import { membersOfKinds, REQUEST_TYPES } from './kinds/quote-shapes.ts'
import { poisoningMatch } from './quote-model.ts'

const usd = dollars.nullable()

export const quoteId = z.uuid().toLowerCase()
export const quotePath = parameters({
  ...accountPath.shape,
  quoteId: described(quoteId, 'Id of a quote of the account.'),
})

const quoteType = described(z.enum(REQUEST_TYPES), 'Kind of quote.', { id: 'QuoteType' })
export const quoteSignerKey = shape(
  'QuoteSignerKey',
  'The public key that verifies the signatures of quotes.',
  {
    publicKey: described(z.string(), 'The uncompressed point in hex, without 0x.'),
    format: described(z.literal('hex'), 'Encoding of `publicKey`: always `hex`.'),
    curve: described(z.literal('P-256'), 'Elliptic curve of the key: always `P-256`.'),
    algorithm: described(z.literal('ECDSA'), 'Signature algorithm, over SHA-256: always `ECDSA`.'),
  },
)

export const callAttribution = shape(
  'Attribution',
  'The marks that this service may put behind the arguments of calls.',
  {
    codes: described(z.array(z.string()), 'Codes of ERC-8021 suffixes; empty when calls carry none.'),
    integratorIds: described(
      z.array(bytes),
      'Integrator ids of Across, two bytes each; empty when deposits carry none.',
    ),
  },
)

/** One input of GraphQL for all kinds of quotes; kinds/quote-shapes.ts says which members belong to which. */
export const quoteBody = shape('QuoteRequest', 'The requested quote.', {
  type: quoteType,
  ...requestMembers,
  ...membersOfKinds('request'),
})

export const unlockBody = shape('UnlockRequest', 'The quote to give up.', {
  quoteId: described(quoteId, 'Id of the quote whose funds to free.'),
})
export const unlocked = shape('UnlockedQuote', 'The funds of the quote are free again.', {
  success: described(z.boolean(), 'Always true: a failure is answered as an error.'),
  message: described(z.string(), 'Text for a person: `Quote unlocked`.'),
})

export const maxSpendableBody = shape('MaxSpendableRequest', 'The amount to spend.', {
  type: described(quoteType.optional(), 'Kind of quote; `send` when it is left out.'),
  ...maxRequestMembers,
  ...membersOfKinds('maxRequest'),
})

const maxSpendableFees = shape('MaxSpendableFees', 'Fees in the smallest unit of the sent token.', {
  network: described(digits, 'Gas with the margin that covers a rising gas price.'),
  vetting: described(digits, 'Vetting fee of a pool deposit; `0` for a payment.'),
  deposit: described(digits, 'Service fee of a pool deposit; `0` for a payment.'),
  service: described(digits, 'Service fee; `0` where it is waived.'),
  total: described(digits, 'All of these fees together.'),
})

export const maxSpendable = shape('MaxSpendable', 'The most that can be sent, and what that costs.', {
  maxAmount: described(digits, 'The most that a recipient can get, in the smallest unit.'),
  feeEstimate: described(digits, 'All fees for sending that much, in the smallest unit.'),
  feeEstimateUsdAmount: described(usd, 'Value of `feeEstimate` in US dollars; null without a price.'),
  spendableCount: described(z.int(), 'Number of addresses that would pay, or of notes where a pool pays.'),
  grossAmount: described(
    digits,
    'Sum of these addresses’ holdings or these notes’ values, before fees, in the smallest unit.',
  ),
  fees: maxSpendableFees,
  protocolFeeBps: described(
    z.number(),
    'Service fee in basis points of the amount sent; 0 where it is waived.',
  ),
  protocolFeeAmount: described(digits, 'Service fee for that much, in the smallest unit.'),
})

export const avatarQuery = parameters({
  destinationAddress: described(z.string().min(1).max(255), 'The destination as the user typed it.'),
})
export const avatar = shape('DestinationAvatar', 'The picture of a destination.', {
  avatarUrl: described(
    z.string().nullable(),
    'URL of the picture; null for an address, and for a name without a public picture.',
  ),
})

export const recipientQuery = parameters({
  chainId,
  address: described(address, 'The address to look up on that chain.'),
})
export const recipientKind = shape('RecipientAddressKind', 'Facts about an address.', {
  kind: described(
    z.enum(['eoa', 'delegated', 'contract', 'own']),
    'eoa: a key. delegated: a key whose account runs code. contract: code without a key. own: one of the account’s.',
    { id: 'RecipientKind' },
  ),
  addressPoisoningMatch: described(
    poisoningMatch.nullable(),
    'The known address that this one imitates; null where it imitates none.',
  ),
})
