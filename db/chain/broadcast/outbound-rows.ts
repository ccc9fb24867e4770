import { z } from 'zod'
import { hexText } from '../../column-types.ts'

type Hex = `0x${string}`

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

/** The cost that a transaction's fee covers. */
export interface Cover {
  /** Wei. */
  covered: bigint
  /** Gas that the transaction is expected to use. */
  likelyGas: bigint
}

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
