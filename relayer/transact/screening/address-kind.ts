import type { Address, Hex, PublicClient } from 'viem'
import { readDesignator } from '../intents/delegation.ts'
import { addressKindUnknown } from './errors.ts'

/**
 * Kind of an address. `eoa`: a key. `delegated`: a key whose account runs a contract's code (EIP-7702) and is still
 * controlled by its owner. `contract`: only code, which may be unable to pass on what it receives.
 */
export type AddressKind = 'eoa' | 'delegated' | 'contract'

/** Returns the kind of an address by its code. Exported for its test, which covers malformed designators. */
export function kindOfCode(code: Hex | undefined): AddressKind {
  if (code === undefined || code === '0x') return 'eoa'
  return readDesignator(code) ? 'delegated' : 'contract'
}

/**
 * Reads the kind at the newest block. An address without code may still become a contract later.
 * @throws ServiceError `bad-gateway` when no node answers.
 */
export async function readAddressKind(client: PublicClient, address: Address): Promise<AddressKind> {
  try {
    return kindOfCode(await client.getCode({ address, blockTag: 'latest' }))
  } catch (cause) {
    throw addressKindUnknown({ cause })
  }
}
