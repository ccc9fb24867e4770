import { SiweMessage } from 'siwe'
import { getAddress, type Address } from 'viem'
import { badRequest } from '../errors.ts'

/** What a sign-in message (EIP-4361) says, as far as it matters here. */
export interface SignInMessage {
  domain: string
  address: Address
  siweNonce: string
  expiresAt: Date | null
  notBefore: Date | null
}

/** Messages that wallets write have some 300 characters. */
const MAX_LENGTH = 4_096
/** Of what the parser sees: it takes three microseconds a character, on the thread that serves everybody. */
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
  let message: SiweMessage
  try {
    message = new SiweMessage(plain)
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
 * The grammar allows statements in little more than ASCII letters, and clients write what they like. The signature is
 * checked over the text as sent; only the parser sees this replacement.
 */
function withPlainStatement(text: string): string {
  const [header, address, above, statement, below, ...fields] = text.split('\n')
  if (above !== '' || !statement || below !== '') return text
  return [header, address, '', 'statement', '', ...fields].join('\n')
}

/**
 * A published client writes the JSON string that `GET /v1/nonce` answers into its message, quotes included. The quoted
 * nonce means the bare one; the signature is checked over the text as it was sent.
 */
function withBareNonce(text: string): string {
  return text.replace(/^Nonce: "([0-9A-Za-z]+)"$/m, 'Nonce: $1')
}

/** EIP-4361 recommends the checksum of EIP-55 and does not demand it; the parser does. Mixed case stays to be checked. */
function withUsualAddress(text: string): string {
  return text.replace(/^0x[0-9a-f]{40}$/m, (address) => getAddress(address))
}

function readTime(field: string, text: string | undefined): Date | null {
  if (text === undefined) return null
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw badRequest(`body.message: ${field} is no time`)
  return time
}
