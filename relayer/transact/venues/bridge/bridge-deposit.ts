import type { Address, Hex } from 'viem'

/** Names of the bridges in orders and quotes. */
export type BridgeProvider = 'across'

/**
 * Deposit of a quote with a bridge: the members that identify its fill on the other chain. Amounts in the tokens'
 * smallest units, times in seconds since 1970. The depositor gets a refund.
 */
export interface BridgeDeposit {
  provider: BridgeProvider
  originChainId: number
  destinationChainId: number
  depositor: Address
  /** Recipient on the destination chain: an address of the account, or the contract that runs the message. */
  recipient: Address
  /** The zero address if anybody may fill at once. */
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
