import { zeroAddress, type Address } from 'viem'
import { checksumAddress } from '../../chain/checksum-address.ts'
import { NATIVE_ASSET } from '../../chain/nodes/config.ts'

/** Identifies a token. The native coin is the zero address, as everywhere but in the pools. */
export interface TokenId {
  chainId: number
  /** Checksummed. */
  address: Address
}

/** A token's key in maps: `<chainId>:<address>`. */
export type TokenKey = `${number}:${Address}`

/** Returns the token's key. The address must be checksummed, as in every TokenId. */
export const keyOf = ({ chainId, address }: TokenId): TokenKey => `${chainId}:${address}`

/** Returns the token of an API's or pool's address. The pools' address of the native coin becomes the zero address. */
export function tokenIdOf(chainId: number, address: Address): TokenId {
  const checksummed = checksumAddress(address)
  return { chainId, address: checksummed === NATIVE_ASSET ? zeroAddress : checksummed }
}
