import type { Address, Hex } from 'viem'
import type { FeeCommitmentMessage } from '../../../proving/proving-pool.ts'

/** The terms on which the relayer promises to relay a withdrawal until `expiration`. */
export interface FeeTerms {
  /** Milliseconds since the epoch. */
  expiration: number
  asset: Address
  /** abi.encode of the relay data: the recipient, the service's fee receiver and the fee. */
  withdrawalData: Hex
  extraGas: boolean
  /** Smallest unit. */
  amount: bigint
}

/** The terms with the relayer's EIP-712 signature, as sent to the client and back. */
export interface FeeCommitment extends FeeTerms {
  signedRelayerCommitment: Hex
}

/** Returns the message that a fee commitment's signature covers: all terms, and the chain. */
export function messageOf(
  chainId: number,
  { expiration, asset, withdrawalData, extraGas, amount }: FeeTerms,
): FeeCommitmentMessage {
  return { chainId, withdrawalData, asset, expiration: BigInt(expiration), amount, extraGas }
}
