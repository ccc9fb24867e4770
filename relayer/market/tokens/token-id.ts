import { zeroAddress, type Address } from 'viem'
import { checksumAddress } from '../../chain/checksum-address.ts'
import { NATIVE_ASSET } from '../../chain/nodes/config.ts'

/** Names a token. The native coin is the zero address, as everywhere but in the pools. */
export interface TokenId {
  chainId: number
  /** Checksummed. */
  address: Address
}

/** A token's name as a key of maps: `<chainId>:<address>`. */
export type TokenKey = `${number}:${Address}`

/** The token's key for maps. The address must be checksummed, as it is in every TokenId. */
export const keyOf = ({ chainId, address }: TokenId): TokenKey => `${chainId}:${address}`

/** The token that an address of the API or of a pool means: the pools' name for the native coin is the zero address here. */
export function tokenIdOf(chainId: number, address: Address): TokenId {
  const checksummed = checksumAddress(address)
  return { chainId, address: checksummed === NATIVE_ASSET ? zeroAddress : checksummed }
}
