import { hashTypedData, type Hex, getAddress, hexToBytes, type Address } from 'viem'
import type { SigningDomain } from './sending-chain.ts'
import { decodeCalls } from './encode-calls.ts'
import { isMultichainNonce, type Intent } from './intent.ts'
import type { Ecdsa } from '../../../proving/signing/ecdsa.ts'
import { recoverSigner } from '../../../proving/signing/recover-signer.ts'

/** EIP-712 types of an intent: only these fields are signed (Orchestrator, INTENT_TYPEHASH). */
export const INTENT_TYPES = {
  Intent: [
    { name: 'multichain', type: 'bool' },
    { name: 'eoa', type: 'address' },
    { name: 'calls', type: 'Call[]' },
    { name: 'nonce', type: 'uint256' },
    { name: 'payer', type: 'address' },
    { name: 'paymentToken', type: 'address' },
    { name: 'paymentMaxAmount', type: 'uint256' },
    { name: 'combinedGas', type: 'uint256' },
    { name: 'encodedPreCalls', type: 'bytes[]' },
    { name: 'encodedFundTransfers', type: 'bytes[]' },
    { name: 'settler', type: 'address' },
    { name: 'expiry', type: 'uint256' },
  ],
  Call: [
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
  ],
} as const

/** Returns the domain under which an intent is signed: a multichain nonce omits the chain id. */
export function domainOfIntent(
  domain: SigningDomain,
  intentNonce: bigint,
): Omit<SigningDomain, 'chainId'> & { chainId?: number } {
  const { chainId, ...anywhere } = domain
  return isMultichainNonce(intentNonce) ? anywhere : { ...anywhere, chainId }
}

/**
 * Builds the EIP-712 typed data that the account's key signs.
 * @throws RangeError when executionData is not an encoding of calls that the service accepts.
 */
export function typeIntent(intent: Intent, domain: SigningDomain) {
  const calls = decodeCalls(intent.executionData)
  if (!calls) throw new RangeError('executionData holds no list of calls')
  return {
    domain: domainOfIntent(domain, intent.intentNonce),
    types: INTENT_TYPES,
    primaryType: 'Intent',
    message: {
      multichain: isMultichainNonce(intent.intentNonce),
      eoa: intent.eoa,
      calls,
      nonce: intent.intentNonce,
      payer: intent.payer,
      paymentToken: intent.paymentToken,
      paymentMaxAmount: intent.paymentMaxAmount,
      combinedGas: intent.combinedGas,
      encodedPreCalls: intent.encodedPreCalls,
      encodedFundTransfers: intent.encodedFundTransfers,
      settler: intent.settler,
      expiry: intent.expiry,
    },
  } as const
}

/** Returns the 32 bytes to sign. */
export function hashIntent(intent: Intent, domain: SigningDomain): Hex {
  return hashTypedData(typeIntent(intent, domain))
}

/**
 * Recovers the signer of an intent; null unless the signature is 65 bytes r‖s‖v with low s and v of 27 or 28. The
 * account itself accepts more forms (other keys, Merkle proofs), which the service does not use.
 */
export function recoverIntentSigner(ecdsa: Ecdsa, intent: Intent, domain: SigningDomain): Address | null {
  const signer = recoverSigner(ecdsa, hexToBytes(hashIntent(intent, domain)), intent.signature)
  return signer && getAddress(signer)
}
