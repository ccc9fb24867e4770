import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type * as Ens from 'viem/ens'
import { getAddress, type Address } from 'viem'

let ens: typeof Ens | undefined

/** viem's module of names imports every curve and word list, 160 files in all: it is loaded with the first name. */
const load = (): typeof Ens =>
  (ens ??= createRequire(import.meta.url)(fileURLToPath(import.meta.resolve('viem/ens'))) as typeof Ens)

/**
 * Normalizes a name by ENSIP-15.
 * @throws Error for text that is no name.
 */
export const normalizeEnsName = (name: string): string => load().normalize(name)

/** Encodes a name for DNS: each label after its length. */
export const encodeDnsName = (name: string): Uint8Array => load().packetToBytes(name)

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
