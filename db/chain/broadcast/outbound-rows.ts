import { z } from 'zod'
import { hexText } from '../../column-types.ts'

type Hex = `0x${string}`

/** A signed EIP-7702 authorization carried by a transaction. */
export const outboundAuthorization = z.object({
  contractAddress: hexText,
  chainId: z.int(),
  authorizationNonce: z.int(),
  /** 65 bytes r‖s‖v. */
  signature: hexText,
})
/** An EIP-7702 authorization after parsing. */
export type OutboundAuthorization = z.output<typeof outboundAuthorization>

/** The part of a transaction's cost that its fee covers. */
export interface Cover {
  /** Wei. */
  covered: bigint
  /** Gas that the transaction is expected to use. */
  likelyGas: bigint
}

/** Latest progress of an outgoing transaction. */
export type OutboundProgressRow =
  | { status: 'sent' | 'confirmed' | 'reverted'; hash: Hex }
  | { status: 'abandoned'; reason: string }

/** A signed form of an outgoing transaction. Fees in wei per gas. */
export interface SignedAttempt {
  hash: Hex
  raw: Hex
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  /** Most wei that it may cost, value included. */
  reserved: bigint
}
