import { z } from 'zod'
import { accountPath } from '../define/account-path.ts'
import { address, amount, chainId } from '../define/wire-scalars.ts'
import { poisoningMatch } from './quote-model.ts'

const digits = z.string()
const usd = z.number().nullable()

const quoteId = z.uuid().toLowerCase()
export const quotePath = accountPath.extend({ quoteId })

/** Addresses that one request may name. */
const MAX_ADDRESSES = 1_000
const spendableAddresses = z
  .array(address)
  .min(1)
  .max(MAX_ADDRESSES)
  .optional()
  .meta({ description: 'Own addresses that alone may fund it.' })
/** The types that the contract names; what is not built yet is refused by its name. */
const quoteType = z
  .enum(['send', 'swap'])
  .refine((type) => type === 'send', 'swaps are not offered yet: expected "send"')
  .meta({ id: 'QuoteType', description: '`send`; `swap` is not offered yet.' })

export const quoteSignerKey = z
  .object({
    publicKey: z.string().meta({ description: 'The uncompressed point in hex, without 0x.' }),
    format: z.literal('hex'),
    curve: z.literal('P-256'),
    algorithm: z.literal('ECDSA'),
  })
  .meta({ id: 'QuoteSignerKey', description: 'The public key that verifies the signatures of quotes.' })

export const quoteBody = z
  .object({
    type: quoteType,
    chainId,
    token: address.meta({ description: 'The zero address for the native coin.' }),
    amount: amount
      .optional()
      .meta({ description: 'What the recipient is to get, in the smallest unit. Ignored with `maxSend`.' }),
    decimals: z
      .int()
      .min(0)
      .max(255)
      .optional()
      .meta({ description: 'Of the token as the client knows it; 400 DECIMALS_MISMATCH if it has others.' }),
    destinationAddress: z.string().min(1).max(255).meta({ description: 'An address or a name.' }),
    acknowledgedAddressPoisoningMatch: z
      .object({ recipientAddress: address, matchedAddress: address })
      .meta({
        id: 'AcknowledgedPoisoningMatch',
        description: 'A likeness that the user has looked at and accepts.',
      })
      .nullish()
      .meta({
        description: 'The pair of the 409 that the user has looked at and accepts; no other pair counts.',
      }),
    acknowledgedContractRecipient: address
      .nullish()
      .meta({ description: '`resolvedAddress` of a 400 CONTRACT_RECIPIENT that the user accepts.' }),
    spendableAddresses,
    singleAddress: address.nullish().meta({ description: 'The one own address that is to fund it.' }),
    maxSend: z.boolean().optional().meta({ description: 'Sends all that can be sent.' }),
    executionSimulation: z
      .unknown()
      .optional()
      .meta({ description: 'Changes nothing: every quote is simulated.' }),
    ttl: z
      .int()
      .min(10)
      .max(86_400)
      .optional()
      .meta({ description: 'Seconds until the quote ends and its funds are free again.' }),
  })
  .meta({ id: 'QuoteRequest', description: 'A payment to quote.' })

export const unlockBody = z
  .object({ quoteId })
  .meta({ id: 'UnlockRequest', description: 'The quote to give up.' })
export const unlocked = z
  .object({ success: z.boolean(), message: z.string() })
  .meta({ id: 'UnlockedQuote', description: 'Its funds are free again.' })

export const maxSpendableBody = z
  .object({
    chainId,
    token: address,
    type: quoteType.optional(),
    tokenOut: z.string().max(64).nullish(),
    slippageMode: z.string().max(64).nullish(),
    slippageBps: z.number().nullish(),
    tokenOutChainId: z.int().nullish(),
    spendableAddresses,
  })
  .meta({ id: 'MaxSpendableRequest', description: 'What would be sent.' })

export const maxSpendable = z
  .object({
    maxAmount: digits.meta({ description: 'The most that a recipient can get.' }),
    feeEstimate: digits,
    feeEstimateUsdAmount: usd,
    spendableCount: z.int().meta({ description: 'Addresses that would fund it.' }),
    grossAmount: digits.meta({ description: 'What these have.' }),
    fees: z
      .object({ network: digits, vetting: digits, deposit: digits, service: digits, total: digits })
      .meta({ id: 'MaxSpendableFees', description: 'In the sent token, smallest unit.' }),
    protocolFeeBps: z.number(),
    protocolFeeAmount: digits,
  })
  .meta({ id: 'MaxSpendable', description: 'The most that can be sent, and what that costs.' })

export const avatarQuery = z.object({ destinationAddress: z.string().min(1).max(255) })
export const avatar = z
  .object({ avatarUrl: z.string().nullable() })
  .meta({ id: 'DestinationAvatar', description: 'The picture of a destination.' })

export const recipientQuery = z.object({ chainId, address })
export const recipientKind = z
  .object({
    kind: z.enum(['eoa', 'delegated', 'contract', 'own']).meta({
      id: 'RecipientKind',
      description:
        'eoa: a key. delegated: a key whose account runs code. contract: code alone. own: one of the account’s.',
    }),
    addressPoisoningMatch: poisoningMatch.nullable(),
  })
  .meta({ id: 'RecipientAddressKind', description: 'What stands behind an address.' })
