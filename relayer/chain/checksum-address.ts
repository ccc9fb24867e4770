import { getAddress, type Address } from 'viem'

/** Cached, because hashing an address takes longer than all other work on it. */
const known = new Map<string, Address>()
const MOST_KNOWN = 20_000

/** Returns the address with its EIP-55 checksum. @throws Error for a text that is no address. */
export function checksumAddress(address: string): Address {
  const found = known.get(address)
  if (found) return found
  const checksummed = getAddress(address)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(address, checksummed)
  return checksummed
}
