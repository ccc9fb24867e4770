import { ParsedMessage } from '@spruceid/siwe-parser'
import { getAddress, type Address, recoverMessageAddress, type Hex } from 'viem'
import { badRequest } from '../errors.ts'
import { signInRefused } from './errors.ts'

/** The relevant fields of a sign-in message (EIP-4361). */
export interface SignInMessage {
  domain: string
  address: Address
  siweNonce: string
  expiresAt: Date | null
  notBefore: Date | null
}

/** Limit of characters; wallets' messages have about 300. */
const MAX_LENGTH = 4_096
/** Limit of characters for the parser, which takes three microseconds a character on the main thread. */
const MAX_PARSED = 1_500

/**
 * Parses a sign-in message.
 *
 * @throws ServiceError `bad-request` for text in another form.
 */
export function parseSignIn(text: string): SignInMessage {
  if (text.length > MAX_LENGTH) throw badRequest(`body.message: has more than ${MAX_LENGTH} characters`)
  const plain = withPlainStatement(withUsualAddress(withBareNonce(text.replace(/\n$/, ''))))
  if (plain.length > MAX_PARSED)
    throw badRequest(`body.message: has more than ${MAX_PARSED} characters beside the statement`)
  let message: ParsedMessage
  try {
    message = new ParsedMessage(plain)
  } catch {
    throw badRequest('body.message: is no Sign-In with Ethereum message (EIP-4361)')
  }
  return {
    domain: message.domain,
    address: getAddress(message.address),
    siweNonce: message.nonce,
    expiresAt: readTime('Expiration Time', message.expirationTime),
    notBefore: readTime('Not Before', message.notBefore),
  }
}

/**
 * Replaces the statement for the parser only: the grammar allows little more than ASCII letters, and clients write
 * any text. The signature is checked over the text as sent.
 */
function withPlainStatement(text: string): string {
  const [header, address, above, statement, below, ...fields] = text.split('\n')
  if (above !== '' || !statement || below !== '') return text
  return [header, address, '', 'statement', '', ...fields].join('\n')
}

/**
 * Removes quotes around the nonce for the parser only. A published client copies the JSON string that `GET /v1/nonce`
 * answers, quotes included. The signature is checked over the text as sent.
 */
function withBareNonce(text: string): string {
  return text.replace(/^Nonce: "([0-9A-Za-z]+)"$/m, 'Nonce: $1')
}

/**
 * Checksums an all-lowercase address: EIP-4361 only recommends EIP-55, but the parser demands it. Mixed case is still
 * checked.
 */
function withUsualAddress(text: string): string {
  return text.replace(/^0x[0-9a-f]{40}$/m, (address) => getAddress(address))
}

function readTime(field: string, text: string | undefined): Date | null {
  if (text === undefined) return null
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw badRequest(`body.message: ${field} is no time`)
  return time
}

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
    throw signInRefused(
      `The message was signed for ${message.domain}; this service accepts ${domains.join(', ')}`,
    )
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
