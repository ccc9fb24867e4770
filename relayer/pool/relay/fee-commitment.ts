import type { Address, Hex } from 'viem'
import type { FeeCommitmentMessage } from '../../../proving/proving-pool.ts'

/** What the relayer promises to relay a withdrawal for, until `expiration`. */
export interface FeeTerms {
  /** Milliseconds since the epoch. */
  expiration: number
  asset: Address
  /** abi.encode of the relay data: the recipient, our fee receiver and the fee. */
  withdrawalData: Hex
  extraGas: boolean
  /** Smallest unit. */
  amount: bigint
}

/** Such a promise with the relayer's EIP-712 signature, as it travels to the client and back. */
export interface FeeCommitment extends FeeTerms {
  signedRelayerCommitment: Hex
}

/** The message that the signature of a fee commitment covers: all of it, and the chain. */
export function messageOf(
  chainId: number,
  { expiration, asset, withdrawalData, extraGas, amount }: FeeTerms,
): FeeCommitmentMessage {
  return { chainId, withdrawalData, asset, expiration: BigInt(expiration), amount, extraGas }
}
