import {
  getAddress,
  hexToBytes,
  isAddressEqual,
  slice,
  size,
  type Address,
  type Hex,
  type PublicClient,
} from 'viem'
import { hashAuthorization } from 'viem/utils'
import type { Ecdsa } from '../../../proving/signing/ecdsa.ts'
import { recoverSigner } from '../../../proving/signing/recover-signer.ts'
import { z } from 'zod'
import { wireAddress, wireSignature } from './intent-wire.ts'

/** An EIP-7702 authorization: the account at `address` is to run the code of `contractAddress`. */
interface Delegation extends ChosenDelegation {
  /** Never 0: an authorization for every chain can be replayed on every chain and links the address across them. */
  chainId: number
  address: Address
}

/** The members of a delegation that its authority chooses. */
export interface ChosenDelegation {
  contractAddress: Address
  /** The account's transaction count at the time when the authorization is applied. */
  authorizationNonce: number
}

/** Returns the authorization of a delegation as a simulation applies it; none without one. */
export const authorizationsOf = (chainId: number, authority: Address, delegation: ChosenDelegation | null) =>
  delegation
    ? [
        {
          authority,
          address: delegation.contractAddress,
          chainId,
          nonce: BigInt(delegation.authorizationNonce),
        },
      ]
    : []

/** A delegation with its authority's signature. */
export interface SignedDelegation extends Delegation {
  /** r‖s‖(1b|1c). */
  signature: Hex
}

const DESIGNATOR = '0xef0100'

/** Returns the digest to sign: keccak256(0x05 ‖ rlp([chainId, contractAddress, nonce])) (EIP-7702). */
export function hashDelegation({ chainId, contractAddress, authorizationNonce }: Delegation): Hex {
  return hashAuthorization({ chainId, contractAddress, nonce: authorizationNonce })
}

/**
 * Recovers the signer of a delegation; null unless the signature is 65 bytes with low s and v of 27 or 28.
 */
export function recoverDelegationSigner(ecdsa: Ecdsa, delegation: SignedDelegation): Address | null {
  const signer = recoverSigner(ecdsa, hexToBytes(hashDelegation(delegation)), delegation.signature)
  return signer && getAddress(signer)
}

/**
 * Reads the address that an account's code delegates to; null if it does not (EIP-7702: 0xef0100 ‖ address).
 */
export function readDesignator(code: Hex | undefined): Address | null {
  if (!code?.toLowerCase().startsWith(DESIGNATOR) || size(code) !== 23) return null
  return getAddress(slice(code, 3))
}

/** Delegation of an account before it sends. */
export interface DelegationState {
  /** Nonce that a new authorization must carry. */
  authorizationNonce: number
  delegatesTo: Address | null
}

/** Reads both at the newest block, in one round trip. */
export async function readDelegationState(client: PublicClient, address: Address): Promise<DelegationState> {
  const [authorizationNonce, code] = await Promise.all([
    client.getTransactionCount({ address, blockTag: 'latest' }),
    client.getCode({ address, blockTag: 'latest' }),
  ])
  return { authorizationNonce, delegatesTo: readDesignator(code) }
}

/**
 * Judges the effect of a delegation on an account now. `stale`: the chain would skip it silently and the intent would
 * fail: it must not be sent. `needless`: the account delegates there already, perhaps by this very authorization.
 */
export function judgeDelegation(
  delegation: Delegation,
  { authorizationNonce, delegatesTo }: DelegationState,
): 'applies' | 'needless' | 'stale' {
  if (delegatesTo && isAddressEqual(delegatesTo, delegation.contractAddress)) return 'needless'
  return delegation.authorizationNonce === authorizationNonce ? 'applies' : 'stale'
}

/** Members of a quoted delegation. */
const delegationFields = z.object({
  chainId: z.int().positive(),
  address: wireAddress,
  contractAddress: wireAddress,
  derivationNonce: z.int().nonnegative(),
  authorizationNonce: z.int().nonnegative(),
})
/** A submitted delegation: the members of the quote plus the signature. Further members are allowed and dropped. */
export const submittedDelegationFields = delegationFields.extend({ signature: wireSignature })

/** Converts the parsed fields to the service's own form. */
export const readSubmittedDelegation = <Fields extends { derivationNonce: number }>({
  derivationNonce,
  ...delegation
}: Fields) => ({ derivationNonce: BigInt(derivationNonce), delegation })

/** Parses a delegation as a quote has it, to be signed. */
export const unsignedDelegation = delegationFields.transform(readSubmittedDelegation)

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
