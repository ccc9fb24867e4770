import { z } from 'zod'
import { accountPath } from '../define/account-path.ts'
import { address, amount, chainId, digits } from '../define/scalars.ts'
import { described, parameters, shape } from '../define/shape.ts'
import { poisoningMatch } from './quote-model.ts'

const usd = z.number().nullable()

export const quoteId = z.uuid().toLowerCase()
export const quotePath = parameters({
  ...accountPath.shape,
  quoteId: described(quoteId, 'Id of a quote of the account.'),
})

/** Addresses that one request may name. */
const MAX_ADDRESSES = 1_000
const spendableAddresses = described(
  z.array(address).min(1).max(MAX_ADDRESSES).optional(),
  'The account’s addresses that alone may pay; without it any of them may.',
)
/** The types that the contract names. A type that is not built yet is refused by its name. */
const quoteType = described(
  z.enum(['send', 'swap']).refine((type) => type === 'send', 'swaps are not offered yet: expected "send"'),
  '`send`; `swap` is not offered yet.',
  { id: 'QuoteType' },
)

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

const acknowledgedMatch = shape(
  'AcknowledgedPoisoningMatch',
  'A likeness that the user has looked at and accepts.',
  {
    recipientAddress: described(address, '`resolvedAddress` of the 409: the address that imitates.'),
    matchedAddress: described(address, '`matchedAddress` of the 409: the known address.'),
  },
)

export const quoteBody = shape('QuoteRequest', 'A payment to quote.', {
  type: quoteType,
  chainId,
  token: described(address, 'Contract of the token to send; the zero address is the native coin.'),
  amount: described(
    amount.optional(),
    'What the recipient is to get, in the smallest unit. Ignored with `maxSend`.',
  ),
  decimals: described(
    z.int().min(0).max(255).optional(),
    'Decimals of the token as the client knows it; 400 DECIMALS_MISMATCH if it has others.',
  ),
  destinationAddress: described(z.string().min(1).max(255), 'Whom to pay: an address or a name.'),
  acknowledgedAddressPoisoningMatch: described(
    acknowledgedMatch.nullish(),
    'The pair of the 409 that the user has looked at and accepts; no other pair counts.',
  ),
  acknowledgedContractRecipient: described(
    address.nullish(),
    '`resolvedAddress` of a 400 CONTRACT_RECIPIENT that the user accepts.',
  ),
  spendableAddresses,
  singleAddress: described(
    address.nullish(),
    'The one address of the account that is to pay; null lets the service choose.',
  ),
  maxSend: described(z.boolean().optional(), 'True sends all that can be sent after fees.'),
  executionSimulation: described(z.unknown().optional(), 'Accepted and ignored: every quote is simulated.'),
  ttl: described(
    z.int().min(10).max(86_400).optional(),
    'Seconds until the quote ends and its funds are free again; the service chooses without it.',
  ),
})

export const unlockBody = shape('UnlockRequest', 'The quote to give up.', {
  quoteId: described(quoteId, 'Id of the quote whose funds to free.'),
})
export const unlocked = shape('UnlockedQuote', 'The funds of the quote are free again.', {
  success: described(z.boolean(), 'Always true: a failure is answered as an error.'),
  message: described(z.string(), 'Text for a person: `Quote unlocked`.'),
})

const ofSwaps = 'Accepted and ignored: swaps are not offered yet.'

export const maxSpendableBody = shape('MaxSpendableRequest', 'What would be sent.', {
  chainId,
  token: described(address, 'Contract of the token to send; the zero address is the native coin.'),
  type: described(quoteType.optional(), '`send`, also when it is left out; `swap` is not offered yet.'),
  tokenOut: described(z.string().max(64).nullish(), ofSwaps),
  slippageMode: described(z.string().max(64).nullish(), ofSwaps),
  slippageBps: described(z.number().nullish(), ofSwaps),
  tokenOutChainId: described(z.int().nullish(), ofSwaps),
  spendableAddresses,
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
  spendableCount: described(z.int(), 'Number of addresses that would pay.'),
  grossAmount: described(digits, 'What these addresses hold before fees, in the smallest unit.'),
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
export const recipientKind = shape('RecipientAddressKind', 'What stands behind an address.', {
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
