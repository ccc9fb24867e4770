import { getAddress, hexToBytes, type Address } from 'viem'
import type { Ecdsa } from '../../../proving/signing/ecdsa.ts'
import { recoverSigner } from '../../../proving/signing/recover-signer.ts'
import type { Intent } from './intent.ts'
import { hashIntent } from './intent-typed-data.ts'
import type { IntentDomain } from './read-intent-domain.ts'

/**
 * Recovers the signer of an intent; null unless the signature is 65 bytes r‖s‖v with low s and v of 27 or 28. The
 * account itself accepts more forms (other keys, Merkle proofs), which the service does not use.
 */
export function recoverIntentSigner(ecdsa: Ecdsa, intent: Intent, domain: IntentDomain): Address | null {
  const signer = recoverSigner(ecdsa, hexToBytes(hashIntent(intent, domain)), intent.signature)
  return signer && getAddress(signer)
}
