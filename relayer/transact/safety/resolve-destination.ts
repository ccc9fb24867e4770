import { getAddress, isAddress, type Address } from 'viem'
import type { Names } from '../ens/names.ts'
import { destinationInvalid, destinationNotFound } from './errors.ts'

const FORM = /^0x[0-9a-fA-F]{40}$/

/**
 * Resolves a destination: an address to itself, a name to its address on the chain.
 * @throws ServiceError `bad-request` DESTINATION_INVALID or DESTINATION_NOT_FOUND; `bad-gateway` when the name service
 * does not answer.
 */
export async function resolveDestination(
  names: Names,
  destination: string,
  chainId: number,
  asker: string,
): Promise<{ address: Address; name: { name: string; service: string } | null }> {
  if (FORM.test(destination)) {
    if (isAddress(destination)) return { address: getAddress(destination), name: null }
    throw destinationInvalid('The destination has a wrong checksum: a letter of it was changed')
  }
  if (!names.isName(destination)) throw destinationInvalid('The destination is neither an address nor a name')
  const resolved = await names.resolve(destination, chainId, asker)
  if (!resolved) throw destinationNotFound()
  return { address: resolved.address, name: { name: resolved.name, service: resolved.service } }
}
