import { getAddress, zeroAddress, type Address } from 'viem'
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

/** What addresses of tokens mean, for a checksum takes longer than all else that is done with one. */
const names = new Map<Address, Address>()
const MAX_NAMES = 20_000

/** The token that an address of the API or of a pool means: the pools' name for the native coin is the zero address here. */
export function tokenIdOf(chainId: number, address: Address): TokenId {
  const known = names.get(address)
  if (known) return { chainId, address: known }
  const checksummed = getAddress(address)
  const name = checksummed === NATIVE_ASSET ? zeroAddress : checksummed
  if (names.size >= MAX_NAMES) names.clear()
  names.set(address, name)
  return { chainId, address: name }
}
