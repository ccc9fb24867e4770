import type { Address, Hex } from 'viem'

/** Names of the bridges, as orders and quotes have them. */
export type BridgeProvider = 'across'

/**
 * What a quote deposits with a bridge: the members by which its fill on the other chain is recognised. Amounts in the
 * tokens' smallest units, times in seconds since 1970. The depositor is who gets a refund.
 */
export interface BridgeDeposit {
  provider: BridgeProvider
  originChainId: number
  destinationChainId: number
  depositor: Address
  /** Who is paid on the destination chain: an address of the account, or the contract that runs the message. */
  recipient: Address
  /** The zero address where anybody may fill at once. */
  exclusiveRelayer: Address
  /** Tokens, never the native coin's zero address. */
  inputToken: Address
  outputToken: Address
  inputAmount: bigint
  outputAmount: bigint
  quoteTimestamp: number
  fillDeadline: number
  exclusivityDeadline: number
  /** Calls that the recipient runs when it is filled; `0x` for none. */
  message: Hex
}
