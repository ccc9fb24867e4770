import { getAddress, isAddress, type Address, type Hex, hashTypedData, hexToBytes } from 'viem'
import { z } from 'zod'
import { type Intent, isMultichainNonce, decodeCalls } from './intent.ts'
import type { SigningDomain } from './sending-chain.ts'
import type { Ecdsa } from '../../../proving/signing/ecdsa.ts'
import { recoverSigner } from '../../../proving/signing/recover-signer.ts'

/** Most bytes of any one byte string: half of the largest transaction that nodes accept. */
const MAX_BYTES = 65_536
const MAX_ITEMS = 16

/** An address in any case, checksummed after parsing; a wrong checksum is refused. */
export const wireAddress = z.codec(
  z.string().refine((text) => isAddress(text), { error: 'is not an address', abort: true }),
  z.custom<Address>(),
  { decode: (text) => getAddress(text), encode: (address) => address },
)
const bytes = z.codec(
  z
    .string()
    .max(2 + 2 * MAX_BYTES)
    .regex(/^0x(?:[0-9a-fA-F]{2})*$/, 'is not bytes in hex'),
  z.custom<Hex>(),
  { decode: (text) => text.toLowerCase() as Hex, encode: (hex) => hex },
)
/** Signature of 65 bytes, r‖s‖v. */
export const wireSignature = z
  .string()
  .regex(/^0x[0-9a-fA-F]{128}(?:1b|1c|1B|1C)$/, 'is not a signature of 65 bytes with v of 27 or 28')
  .transform((text) => text.toLowerCase() as Hex)
const UINT256_END = 1n << 256n
const uint256 = z.codec(
  z
    .string()
    .regex(/^(?:0|[1-9]\d{0,77})$/, { error: 'is not a whole number in decimal digits', abort: true }),
  z.bigint().refine((amount) => amount < UINT256_END, 'is more than 256 bits'),
  { decode: BigInt, encode: String },
)
/** derivationNonce of an intent; below 2^63, as the database stores it. */
const derivationNonce = z.codec(
  z
    .string()
    .regex(/^(?:0|[1-9]\d{0,18})$/, { error: 'is not a whole number in decimal digits', abort: true }),
  z.bigint(),
  { decode: BigInt, encode: String },
)

/** Members of a quoted intent: the one list for writing and reading. */
const quotedIntentFields = z.object({
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
})

/**
 * A submitted intent: the members of the quote plus the signature. Further members are allowed and dropped. So are
 * `domain` and `types`, because the service verifies against its own.
 */
export const submittedIntentFields = quotedIntentFields.extend({ signature: wireSignature })

/** Converts the parsed fields to the service's own form. */
export const readSubmittedIntent = <Fields extends z.output<typeof quotedIntentFields>>({
  chainId,
  derivationNonce,
  nonce,
  ...fields
}: Fields) => ({ chainId, derivationNonce, intent: { ...fields, intentNonce: nonce } })

/** Parses an intent as a quote has it, to be signed. */
export const unsignedIntent = quotedIntentFields.transform(readSubmittedIntent)

/** Parses a signed intent as the client sends it; unknown members are dropped. */
export const submittedIntent = submittedIntentFields.transform(readSubmittedIntent)

/** A signed intent after parsing, with its chain and the derivationNonce of its address. */
export type SubmittedIntent = z.output<typeof submittedIntent>

/** Writes an unsigned intent for a quote, with everything that a wallet needs to sign it. */
export function writeIntent(
  { intentNonce, ...intent }: Intent,
  derivationNonce: bigint,
  domain: SigningDomain,
) {
  const fields = z.encode(quotedIntentFields, {
    ...intent,
    encodedPreCalls: [...intent.encodedPreCalls],
    encodedFundTransfers: [...intent.encodedFundTransfers],
    chainId: domain.chainId,
    nonce: intentNonce,
    derivationNonce,
  })
  return {
    ...fields,
    domain: domainOfIntent(domain, intentNonce),
    types: INTENT_TYPES,
    primaryType: 'Intent' as const,
  }
}

/** EIP-712 types of an intent: only these fields are signed (Orchestrator, INTENT_TYPEHASH). */
export const INTENT_TYPES = {
  Intent: [
    { name: 'multichain', type: 'bool' },
    { name: 'eoa', type: 'address' },
    { name: 'calls', type: 'Call[]' },
    { name: 'nonce', type: 'uint256' },
    { name: 'payer', type: 'address' },
    { name: 'paymentToken', type: 'address' },
    { name: 'paymentMaxAmount', type: 'uint256' },
    { name: 'combinedGas', type: 'uint256' },
    { name: 'encodedPreCalls', type: 'bytes[]' },
    { name: 'encodedFundTransfers', type: 'bytes[]' },
    { name: 'settler', type: 'address' },
    { name: 'expiry', type: 'uint256' },
  ],
  Call: [
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
  ],
} as const

/** Returns the domain under which an intent is signed: a multichain nonce omits the chain id. */
export function domainOfIntent(
  domain: SigningDomain,
  intentNonce: bigint,
): Omit<SigningDomain, 'chainId'> & { chainId?: number } {
  const { chainId, ...anywhere } = domain
  return isMultichainNonce(intentNonce) ? anywhere : { ...anywhere, chainId }
}

/**
 * Builds the EIP-712 typed data that the account's key signs.
 * @throws RangeError when executionData is not an encoding of calls that the service accepts.
 */
export function typeIntent(intent: Intent, domain: SigningDomain) {
  const calls = decodeCalls(intent.executionData)
  if (!calls) throw new RangeError('executionData holds no list of calls')
  return {
    domain: domainOfIntent(domain, intent.intentNonce),
    types: INTENT_TYPES,
    primaryType: 'Intent',
    message: {
      multichain: isMultichainNonce(intent.intentNonce),
      eoa: intent.eoa,
      calls,
      nonce: intent.intentNonce,
      payer: intent.payer,
      paymentToken: intent.paymentToken,
      paymentMaxAmount: intent.paymentMaxAmount,
      combinedGas: intent.combinedGas,
      encodedPreCalls: intent.encodedPreCalls,
      encodedFundTransfers: intent.encodedFundTransfers,
      settler: intent.settler,
      expiry: intent.expiry,
    },
  } as const
}

/** Returns the 32 bytes to sign. */
export function hashIntent(intent: Intent, domain: SigningDomain): Hex {
  return hashTypedData(typeIntent(intent, domain))
}

/**
 * Recovers the signer of an intent; null unless the signature is 65 bytes r‖s‖v with low s and v of 27 or 28. The
 * account itself accepts more forms (other keys, Merkle proofs), which the service does not use.
 */
export function recoverIntentSigner(ecdsa: Ecdsa, intent: Intent, domain: SigningDomain): Address | null {
  const signer = recoverSigner(ecdsa, hexToBytes(hashIntent(intent, domain)), intent.signature)
  return signer && getAddress(signer)
}
