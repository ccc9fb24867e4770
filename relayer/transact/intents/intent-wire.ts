import { getAddress, isAddress, type Address, type Hex } from 'viem'
import { z } from 'zod'
import type { Intent } from './intent.ts'
import { domainOfIntent, INTENT_TYPES } from './intent-typed-data.ts'
import type { IntentDomain } from './read-intent-domain.ts'

/** Bytes of any one byte string at most: half of what nodes take as one transaction. */
const MAX_BYTES = 65_536
const MAX_ITEMS = 16

/** An address in any case, checksummed inside; a wrong checksum is refused. */
export const wireAddress = z
  .string()
  .refine((text) => isAddress(text), 'is not an address')
  .transform((text): Address => getAddress(text))
const bytes = z
  .string()
  .max(2 + 2 * MAX_BYTES)
  .regex(/^0x(?:[0-9a-fA-F]{2})*$/, 'is not bytes in hex')
  .transform((text) => text.toLowerCase() as Hex)
/** 65 bytes r‖s‖v. */
export const wireSignature = z
  .string()
  .regex(/^0x[0-9a-fA-F]{128}(?:1b|1c|1B|1C)$/, 'is not a signature of 65 bytes with v of 27 or 28')
  .transform((text) => text.toLowerCase() as Hex)
const UINT256_END = 1n << 256n
const uint256 = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,77})$/, 'is not a whole number in decimal digits')
  .transform(BigInt)
  .refine((amount) => amount < UINT256_END, 'is more than 256 bits')
/** derivationNonce as an intent has it; below 2^63, as it is stored. */
const derivationNonce = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,18})$/, 'is not a whole number in decimal digits')
  .transform(BigInt)

/**
 * A submitted intent (api.md 2.7): what the quote had plus the signature. Further members are allowed and dropped;
 * `domain` and `types` among them, since what is verified is made from our own.
 */
export const submittedIntentFields = z.object({
  chainId: z.int().positive(),
  eoa: wireAddress,
  executionData: bytes,
  nonce: uint256,
  derivationNonce,
  payer: wireAddress,
  paymentToken: wireAddress,
  paymentMaxAmount: uint256,
  combinedGas: uint256,
  encodedPreCalls: z.array(bytes).max(MAX_ITEMS),
  encodedFundTransfers: z.array(bytes).max(MAX_ITEMS),
  settler: wireAddress,
  expiry: uint256,
  isMultichain: z.boolean(),
  funder: wireAddress,
  funderSignature: bytes,
  settlerContext: bytes,
  paymentAmount: uint256,
  paymentRecipient: wireAddress,
  paymentSignature: bytes,
  supportedAccountImplementation: wireAddress,
  signature: wireSignature,
})

/** The fields as the service has them inside. */
export function readSubmittedIntent({
  chainId,
  derivationNonce,
  nonce,
  ...fields
}: z.output<typeof submittedIntentFields>) {
  return { chainId, derivationNonce, intent: { ...fields, intentNonce: nonce } satisfies Intent }
}

/** Parses a signed intent as the client sends it; unknown members are dropped. */
export const submittedIntent = submittedIntentFields.transform(readSubmittedIntent)

/** A signed intent after parsing, with its chain and the derivationNonce of its address. */
export type SubmittedIntent = z.output<typeof submittedIntent>

/** An unsigned intent as a quote shows it: amounts in decimal digits, with all that a wallet needs to sign it. */
export type WireIntent = ReturnType<typeof writeIntent>

/** Writes an unsigned intent for a quote (api.md 2.7). */
export function writeIntent(intent: Intent, derivationNonce: bigint, domain: IntentDomain) {
  return {
    chainId: domain.chainId,
    eoa: intent.eoa,
    executionData: intent.executionData,
    nonce: String(intent.intentNonce),
    derivationNonce: String(derivationNonce),
    payer: intent.payer,
    paymentToken: intent.paymentToken,
    paymentMaxAmount: String(intent.paymentMaxAmount),
    combinedGas: String(intent.combinedGas),
    encodedPreCalls: [...intent.encodedPreCalls],
    encodedFundTransfers: [...intent.encodedFundTransfers],
    settler: intent.settler,
    expiry: String(intent.expiry),
    isMultichain: intent.isMultichain,
    funder: intent.funder,
    funderSignature: intent.funderSignature,
    settlerContext: intent.settlerContext,
    paymentAmount: String(intent.paymentAmount),
    paymentRecipient: intent.paymentRecipient,
    paymentSignature: intent.paymentSignature,
    supportedAccountImplementation: intent.supportedAccountImplementation,
    domain: domainOfIntent(domain, intent.intentNonce),
    types: INTENT_TYPES,
    primaryType: 'Intent' as const,
  }
}
