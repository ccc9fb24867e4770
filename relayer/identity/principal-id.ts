import { createHash } from 'node:crypto'
import type { Address } from 'viem'

/** The same for all tokens of one signer, before and after the account exists. It is a key in Redis, so it is no address. */
export function principalId(authAddress: Address): string {
  return createHash('sha256').update(`principal ${authAddress.toLowerCase()}`).digest('hex').slice(0, 32)
}
