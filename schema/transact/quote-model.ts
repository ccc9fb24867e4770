import { z } from 'zod'
import { addressSummary } from '../account/balances/model.ts'
import { provenance } from '../account/provenance.ts'
import { address, bytes, chainId } from '../define/wire-scalars.ts'

const digits = z.string()
const isoDate = z.iso.datetime()
const hex = z.string()
const usd = z.number().nullable()

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
