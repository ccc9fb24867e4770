import { z } from 'zod'
import type { Delegation } from './delegation.ts'
import { wireAddress, wireSignature } from './intent-wire.ts'

/**
 * A submitted delegation: the members of the quote plus the signature. Further members are allowed and
 * dropped.
 */
export const submittedDelegationFields = z.object({
  chainId: z.int().positive(),
  address: wireAddress,
  contractAddress: wireAddress,
  derivationNonce: z.int().nonnegative(),
  authorizationNonce: z.int().nonnegative(),
  signature: wireSignature,
})

/** Converts the parsed fields to the service's own form. */
export function readSubmittedDelegation({
  derivationNonce,
  ...delegation
}: z.output<typeof submittedDelegationFields>) {
  return { derivationNonce: BigInt(derivationNonce), delegation }
}

/** Parses a signed delegation as the client sends it; unknown members are dropped. */
export const submittedDelegation = submittedDelegationFields.transform(readSubmittedDelegation)

/** A signed delegation after parsing, with the derivationNonce of its address. */
export type SubmittedDelegation = z.output<typeof submittedDelegation>

/**
 * Writes an unsigned delegation for a quote. Both nonces are numbers here.
 * @throws RangeError when the derivationNonce is not exact as a number.
 */
export function writeDelegation(delegation: Delegation, derivationNonce: bigint) {
  if (derivationNonce > BigInt(Number.MAX_SAFE_INTEGER))
    throw new RangeError('a derivationNonce that no JSON number holds')
  const { chainId, address, contractAddress, authorizationNonce } = delegation
  return { chainId, address, contractAddress, derivationNonce: Number(derivationNonce), authorizationNonce }
}
