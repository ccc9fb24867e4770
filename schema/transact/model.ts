import { z } from 'zod'
import { accountPath } from '../accounts/model.ts'
import { addressSummary } from '../holdings/model.ts'
import { provenance } from '../provenance/model.ts'
import { address, amount, bytes, chainId } from '../wire-scalars.ts'

const digits = z.string()
const isoDate = z.iso.datetime()
const hex = z.string()
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

const typedMember = z
  .object({ name: z.string(), type: z.string() })
  .meta({ id: 'TypedDataMember', description: 'A member of an EIP-712 type.' })

export const quotedIntent = z
  .object({
    chainId,
    eoa: address,
    executionData: bytes,
    nonce: digits,
    derivationNonce: digits,
    payer: address,
    paymentToken: address,
    paymentMaxAmount: digits,
    combinedGas: digits,
    encodedPreCalls: z.array(hex),
    encodedFundTransfers: z.array(hex),
    settler: address,
    expiry: digits,
    isMultichain: z.boolean(),
    funder: address,
    funderSignature: hex,
    settlerContext: hex,
    paymentAmount: digits,
    paymentRecipient: address,
    paymentSignature: hex,
    supportedAccountImplementation: address,
    domain: z
      .object({
        name: z.string(),
        version: z.string(),
        chainId: z.int().optional(),
        verifyingContract: address,
      })
      .meta({ id: 'IntentDomain', description: 'EIP-712 domain of the Orchestrator contract.' }),
    types: z
      .object({ Intent: z.array(typedMember), Call: z.array(typedMember) })
      .meta({ id: 'IntentTypes', description: 'EIP-712 types.' }),
    primaryType: z.literal('Intent'),
  })
  .meta({ id: 'QuotedIntent', description: 'EIP-712 typed data to sign with the key of `eoa`.' })

export const quotedDelegation = z
  .object({
    chainId,
    address,
    contractAddress: address,
    derivationNonce: z.int(),
    authorizationNonce: z.int(),
  })
  .meta({ id: 'QuotedDelegation', description: 'EIP-7702 authorization to sign with the key of `address`.' })

const indices = z.array(z.int().nonnegative())
const signingReview = z
  .object({
    version: z.int(),
    intents: z.array(
      z
        .object({
          userActionCallIndices: indices.meta({ description: 'Calls that the user asked for.' }),
          simulationCallIndices: indices.meta({ description: 'Calls that were simulated together.' }),
          calldataCaveats: z.array(
            z
              .object({
                callIndex: z.int(),
                kind: z.string(),
                policyVersion: z.int(),
                verifier: z.string(),
                suffixLength: z.int(),
                canonicalCalldataHash: z.string(),
                suffixHash: z.string(),
              })
              .meta({
                id: 'CalldataCaveat',
                description: 'A part of a call that a wallet must check by itself.',
              }),
          ),
        })
        .meta({ id: 'IntentReview', description: 'What the calls of one intent are for.' }),
    ),
  })
  .meta({ id: 'SigningReview', description: 'What each call of the intents is for.' })

export const poisoningMatch = z
  .object({
    matchedAddress: address,
    matchedPrefixCharsCount: z.int(),
    matchedSuffixCharsCount: z.int(),
    source: z.enum(['counterparty', 'own_address', 'address_book']).meta({
      id: 'PoisoningMatchSource',
      description:
        'counterparty: the account dealt with it. own_address: the account’s own. address_book: a contact.',
    }),
    contactName: z.string().nullable(),
  })
  .meta({ id: 'AddressPoisoningMatch', description: 'A known address that another one imitates.' })

const fundingSource = z
  .object({
    chainId,
    token: address,
    address,
    amount: digits.meta({ description: 'What leaves the address, fees included.' }),
    idCount: z.int(),
    addressSummary,
    provenance: provenance.optional(),
  })
  .meta({ id: 'FundingSource', description: 'An address that the quote is paid from.' })

const quoteFees = z
  .object({
    network: digits,
    dust: digits.meta({ description: 'Stays at an address and costs more to spend than it is.' }),
    service: digits,
    networkUsdAmount: usd,
    totalUsdAmount: usd,
    vetting: digits,
    deposit: digits,
    total: digits,
    waived: z.boolean(),
  })
  .meta({ id: 'QuoteFees', description: 'In the sent token, smallest unit.' })

export const quote = z
  .object({
    quoteId: z.uuid(),
    expiresAt: isoDate,
    signature: hex.meta({
      description:
        'ECDSA P-256 over SHA-256 of the canonical JSON (RFC 8785) of this answer without `signature` and without members that are null: 64 bytes r‖s in hex.',
    }),
    intents: z.array(quotedIntent),
    delegations: z.array(quotedDelegation),
    signingReview,
    expectedOutput: digits,
    minimumOutput: digits,
    outputToken: address,
    outputDecimals: z.int(),
    outputSymbol: z.string(),
    outputRecipient: address,
    outputRecipientOwned: z.boolean(),
    destinationName: z
      .object({ name: z.string(), service: z.string() })
      .meta({ id: 'DestinationName', description: 'The name by which the recipient was given.' })
      .nullable(),
    addressPoisoningMatch: poisoningMatch.nullable(),
    refresh: z
      .object({ after: isoDate, sessionExpiresAt: isoDate })
      .meta({ id: 'QuoteRefresh', description: 'When the price grows old, and when the quote ends.' }),
    protocolFeeBps: z.number(),
    protocolFeeAmount: digits,
    amountIn: digits.meta({ description: 'All that leaves the addresses: what is sent and the fees.' }),
    selectedFundingSources: z.array(fundingSource),
    fundingCaveats: z
      .array(
        z
          .object({ kind: z.literal('addresses_joined'), addressCount: z.int() })
          .meta({ id: 'FundingCaveat', description: 'What spending from these addresses shows to others.' }),
      )
      .meta({
        description:
          '`addresses_joined`: no one address suffices, and those that are spent together will be seen to belong together.',
      }),
    provenanceLabelGroups: z.unknown().nullable(),
    fees: quoteFees,
  })
  .meta({ id: 'Quote', description: 'What is to be signed, what it does, and what it costs.' })

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
