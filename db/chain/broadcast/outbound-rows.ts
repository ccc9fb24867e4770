import { z } from 'zod'

type Hex = `0x${string}`

/** A column of text that this service wrote as 0x-hex. */
export const hexText = z.string().transform((text) => text as Hex)
/** bytea as 0x-hex. */
export const hexBytes = z
  .instanceof(Uint8Array)
  .transform((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)
/** int8 that is small enough for a number: chain ids, transaction nonces, gas. */
export const smallInteger = z.bigint().transform(Number)

/** The bytes of 0x-prefixed hex, for a bytea parameter. */
export function bytesOfHex(hex: Hex): Buffer {
  return Buffer.from(hex.slice(2), 'hex')
}

/** A signed EIP-7702 authorization that a transaction carries along. */
export const outboundAuthorization = z.object({
  contractAddress: hexText,
  chainId: z.int(),
  authorizationNonce: z.int(),
  /** 65 bytes r‖s‖v. */
  signature: hexText,
})
/** An EIP-7702 authorization after parsing. */
export type OutboundAuthorization = z.output<typeof outboundAuthorization>

/** What happened last to an outgoing transaction. */
export type OutboundProgressRow =
  | { status: 'sent' | 'confirmed' | 'reverted'; hash: Hex }
  | { status: 'abandoned'; reason: string }

/** A signed form of an outgoing transaction. Fees in wei per gas. */
export interface SignedAttempt {
  hash: Hex
  raw: Hex
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  /** Wei that it may cost at most, value included. */
  reserved: bigint
}
