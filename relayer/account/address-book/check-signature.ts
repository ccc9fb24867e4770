import { hashMessage, isAddressEqual, recoverAddress, type Address, type Hex } from 'viem'
import { contactSignatureExpired, contactSignatureInvalid } from './errors.ts'

const VALID_MS = 10 * 60_000
/** Milliseconds that a client's clock may be ahead. */
const AHEAD_MS = 60_000

/**
 * Checks that a message was signed by an address, less than ten minutes ago.
 *
 * @returns when it was signed.
 * @throws ServiceError `bad-request`.
 */
export async function checkSignature(signed: {
  message: string
  signature: Hex
  issuedAt: string
  signer: Address
}): Promise<Date> {
  const issuedAt = new Date(signed.issuedAt)
  const age = Date.now() - issuedAt.getTime()
  // Written as a negated comparison so that an invalid date (NaN) is refused.
  if (!(age <= VALID_MS && age >= -AHEAD_MS)) throw contactSignatureExpired()
  if (!(await isSignedBy(signed))) throw contactSignatureInvalid()
  return issuedAt
}

async function isSignedBy(signed: { message: string; signature: Hex; signer: Address }): Promise<boolean> {
  // Only 65 bytes are read. A second, malleable form of a signature would be harmless here.
  if (signed.signature.length !== 132) return false
  try {
    const hash = hashMessage(signed.message)
    return isAddressEqual(await recoverAddress({ hash, signature: signed.signature }), signed.signer)
  } catch {
    return false
  }
}
