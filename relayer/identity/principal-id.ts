import { createHash } from 'node:crypto'
import type { Address } from 'viem'

/**
 * Returns one id for all tokens of a signer, before and after the account exists. It is hashed, because Redis stores
 * it as a key.
 */
export function principalId(authAddress: Address): string {
  return createHash('sha256').update(`principal ${authAddress.toLowerCase()}`).digest('hex').slice(0, 32)
}
