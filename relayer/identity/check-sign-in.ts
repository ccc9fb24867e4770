import { recoverMessageAddress, type Hex } from 'viem'
import type { SignInMessage } from './parse-sign-in.ts'
import { signInRefused } from './errors.ts'

const SIGNATURE = /^0x[0-9a-fA-F]{130}$/

/**
 * True if a domain is allowed by `host`, `host:port`, or `host:*`, which means any port or none. Host names are
 * compared without case.
 */
function allowsDomain(allowed: readonly string[], domain: string): boolean {
  const asked = domain.toLowerCase()
  const host = asked.replace(/:\d{1,5}$/, '')
  return allowed.some((entry) => {
    const wanted = entry.toLowerCase()
    return wanted.endsWith(':*') ? wanted.slice(0, -2) === host : wanted === asked
  })
}

/**
 * Checks the domain and the times of a message, and that its address signed this very text (EIP-191).
 *
 * @throws ServiceError `unprocessable`.
 */
export async function checkSignIn(
  message: SignInMessage,
  { text, signature, domains }: { text: string; signature: Hex; domains: readonly string[] },
): Promise<void> {
  if (!allowsDomain(domains, message.domain))
    throw signInRefused('The message was signed for a domain that this service does not accept')
  const now = Date.now()
  if (message.expiresAt && now >= message.expiresAt.getTime()) throw signInRefused('The message has expired')
  if (message.notBefore && now < message.notBefore.getTime())
    throw signInRefused('The message is not valid yet')
  if (!(await isSignedBy(message.address, text, signature)))
    throw signInRefused('The signature is not of this message by its address')
}

async function isSignedBy(address: string, text: string, signature: Hex): Promise<boolean> {
  if (!SIGNATURE.test(signature)) return false
  try {
    return (await recoverMessageAddress({ message: text, signature })) === address
  } catch {
    return false
  }
}
