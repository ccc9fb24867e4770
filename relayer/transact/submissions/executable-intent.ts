import type { Address, Hex } from 'viem'

/** A signed intent as it is executed. */
export interface ExecutableIntent {
  eoa: Address
  intentNonce: bigint
  /** abi.encode(Intent). */
  encoded: Hex
  delegation: { contractAddress: Address; authorizationNonce: number } | null
}
