import { describeIssues } from '../define/describe-issues.ts'
import { ERROR_CLASSES, type ErrorStatus } from '../define/error-body.ts'
import type { Operation } from '../define/operation.ts'

/** What `invoke` grants to those without a good token where an operation has no limit of its own. */
const UNAUTHORIZED_LIMIT = 120

interface ErrorExample {
  error: string
  message: string
  code?: string
  recoveryUrl?: string
}

/** Whether a request may be malformed; the path's accountId is checked as access before that. */
export function takesInput({ input }: Operation): boolean {
  return Boolean(input.body) || inputsOf(input).some(([, shape]) => Object.keys(shape.shape).length > 0)
}

/** What an operation answers with an error status, in the words that it uses. */
export function exampleOf(operation: Operation, status: ErrorStatus): ErrorExample | OAuthExample {
  const { error } = ERROR_CLASSES[status]
  const message = messageOf(operation, status)
  if (operation.errorShape === 'oauth' && (status === 400 || status === 401))
    return { error: OAUTH_CODES[status], error_description: message }
  const code =
    status === 404 ? notFoundCode(operation) : status === 409 ? conflictCode(operation) : CODES[status]
  return {
    error,
    message,
    ...(code !== undefined && { code }),
    ...(status === 451 && { recoveryUrl: 'https://app.example/recover' }),
  }
}

interface OAuthExample {
  error: string
  error_description: string
}

const OAUTH_CODES = { 400: 'invalid_request', 401: 'invalid_token' }

const CODES: Partial<Record<ErrorStatus, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  422: 'UNPROCESSABLE_ENTITY',
  451: 'ADDRESS_NOT_SERVED',
  503: 'SERVER_BUSY',
}

const MESSAGES: Partial<Record<ErrorStatus, string>> = {
  401: 'A valid bearer token is required',
  403: 'This token does not give access to that account',
  413: 'A request body may have at most 262144 bytes',
  422: 'The nonce is unknown, used, expired, or of another address',
  451: 'This address cannot be served for legal reasons.',
  500: 'The service failed; its operator finds out more under request id …',
  503: 'Too many requests are in progress; try again',
}

/** What is not there, by the operation that does not find it; else it is the account. */
const NOT_FOUND: Readonly<Record<string, string>> = {
  relayerRequestStatus: 'No request has that requestId',
  tokenLookup: 'There is no ERC-20 token at that address of chain 1',
  accountToken: 'There is no ERC-20 token at that address of chain 1',
  addAccountToken: 'There is no ERC-20 token at that address of chain 1',
  resolveReferrer: 'Nobody refers by that',
  previewReferral: 'Nobody refers by that',
  referralAttribution: 'Nobody referred this account',
  endReferralAttribution: 'Nobody referred this account',
  writeActivityNote: 'This account has no such activity',
  writeProvenanceAddressTag: 'This account has no such address',
  pendingActivities: 'This address is not one of the account’s own',
  refreshQuote: 'There is no such quote',
  unlockQuote: 'There is no such quote',
  submitQuote: 'There is no such quote',
  relayStatus: 'There is no such quote',
  lookUpName: 'This service answers for other names',
  lookUpNameByPost: 'This service answers for other names',
  accountChainBalance: 'Chain 5 is not served',
  accountTokenBalance: 'Chain 5 is not served',
}

const CONFLICTS: Readonly<Record<string, string>> = {
  createAccount: 'The account exists already, with other key material',
  claimSubdomain: 'This name is not available',
}
const LOCKED = 'The funds are locked by other quotes: unlock one, or wait for it to end'

const UNKNOWN_CHAIN = 'Chain 5 is not served'

const notFoundCode = ({ name }: Operation) =>
  NOT_FOUND[name] === UNKNOWN_CHAIN ? 'CHAIN_NOT_SUPPORTED' : undefined

const conflictCode = ({ name }: Operation) => (name in CONFLICTS ? undefined : 'QUOTE_LOCK_CONFLICT')

function messageOf(operation: Operation, status: ErrorStatus): string {
  const { name, limit = UNAUTHORIZED_LIMIT } = operation
  if (status === 400) return badRequestOf(operation)
  if (status === 404) return NOT_FOUND[name] ?? 'There is no such account'
  if (status === 409) return CONFLICTS[name] ?? LOCKED
  if (status === 429) return `Rate limit exceeded. Maximum ${limit} requests per 1 minute.`
  if (status === 502)
    return name === 'createQuote'
      ? 'The name service gives no answer.'
      : 'The chain gives no answer about this address.'
  return MESSAGES[status] ?? ERROR_CLASSES[status].error
}

type Member = 'query' | 'body' | 'path'

/** What a request may get wrong, beside the account. */
function inputsOf({ query, body, path }: Operation['input']) {
  const beside = path && 'accountId' in path.shape ? path.omit({ accountId: true }) : path
  return Object.entries({ query, body, path: beside }).flatMap(([member, shape]) =>
    shape ? [[member as Member, shape] as const] : [],
  )
}

/** What comes of members that are missing, of text that has no form, and of text that is too long; a path has them all. */
const FAULTS = [
  { of: ['query', 'body'], value: undefined },
  { of: ['query', 'body', 'path'], value: '?' },
  { of: ['query', 'body', 'path'], value: '?'.repeat(20_000) },
]

/** What the validation says of the first fault that it finds. */
function badRequestOf(operation: Operation): string {
  for (const { of, value } of FAULTS)
    for (const [member, shape] of inputsOf(operation.input)) {
      if (!of.includes(member)) continue
      const given = Object.fromEntries(Object.keys(shape.shape).map((name) => [name, value]))
      const { error } = shape.safeParse(given, { reportInput: true })
      const [first] = error ? describeIssues(error.issues.slice(0, 1), member) : []
      if (first !== undefined) return first
    }
  return 'Idempotency-Key: expected 1 to 255 characters'
}
