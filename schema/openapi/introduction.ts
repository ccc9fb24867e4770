import type { DefinedError } from '../../relayer/service-error.ts'
import { statusOfKind } from '../define/error-status.ts'
import { graphErrors } from '../define/graph-errors.ts'
import { REFUSALS } from '../../relayer/pool/relay/refusals.ts'

/** The operations that a wallet calls from sign-in to its first payment. */
const FIRST_STEPS = [
  '`GET /v1/nonce` for the address of the spending key. Write a Sign-In with Ethereum message with this nonce, sign it with the spending key (EIP-191), and `POST /v1/verify` the message and the signature. The answer has the `token`, and the `accountId` if the account exists.',
  'If it does not exist, encrypt the key material to the key of `GET /v1/.well-known/hpke-public-key` and `POST /v1/accounts`.',
  '`POST /v1/accounts/{accountId}/payment-address` answers an address to be paid at. Its `nonce` says which of the client’s keys controls it.',
  '`GET /v1/accounts/{accountId}/balance` and `GET /v1/accounts/{accountId}/activities` show what was received. The GraphQL subscription `accountEvents` reports all that changes, as it happens.',
  '`POST /v1/accounts/{accountId}/quote` reserves funds and answers what to sign. Verify its `signature` with the key of `GET /v1/.well-known/quote-signer-public-key`. Sign every intent (EIP-712) and every delegation (EIP-7702) with the key of its address, and `POST /v1/accounts/{accountId}/submit`. To give the quote up, `POST /v1/accounts/{accountId}/unlock`.',
  '`GET /v1/accounts/{accountId}/relay-status/{quoteId}` and the subscription `quoteStatus` report the progress.',
]

/**
 * The introduction of the API reference, in Markdown.
 *
 * @param errors Every error of the operations, in the order of the table.
 */
export function introduction(errors: readonly DefinedError[]): string {
  return [
    'Every operation is also a GraphQL query or mutation of the same name at [/graphql](/graphql), with the same rules, answers and error codes. Objects with ids, pages by cursors and subscriptions exist in GraphQL only.',
    '## First steps',
    FIRST_STEPS.map((step, index) => `${index + 1}. ${step}`).join('\n'),
    '## Conventions',
    [
      '- Bodies are JSON (`Content-Type: application/json`; anything else is a 400) of at most 256 KiB. Without a token the limit is 16 KiB, at `/graphql` 96 KiB.',
      '- Amounts are decimal strings in the smallest unit. Times are ISO 8601 in UTC; under `/relayer` they are milliseconds since the epoch.',
      '- Addresses are 0x and 40 hex digits. A mixed-case address must have a correct EIP-55 checksum; answers have it. The native coin is the zero address; under `/relayer` it is `0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE`, as in the pools.',
      '- Bodies under `/relayer` may have no members beyond those listed.',
      '- Every answer carries `X-Request-Id`. Report it to the operator, who finds the request in the log by it.',
    ].join('\n'),
    '## Tokens',
    'Operations with a lock need `Authorization: Bearer <token>`: the token of a sign-in, a token of the extension, or an API key. Operations without a lock ignore a bad token. An account is open to its own tokens only; any other accountId is refused with the same words, whether or not it exists. A token may be limited to reading.',
    '## Limits',
    'Each operation is limited by itself, over all instances: by account where a token is needed, otherwise by client address (IPv6 by /64). Requests without a good token count by address. An operation with a limit answers with `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers). A 429 says in `Retry-After` when the window ends, a GraphQL error in `extensions.retryAfter`. A field of a GraphQL request counts like a request.',
    '## Repeating safely',
    'Operations that take an `Idempotency-Key` (1 to 255 characters; in GraphQL the argument `idempotencyKey`) store their answer for 24 hours. The same key with the same input gets the stored answer; with another input it gets 400 IDEMPOTENCY_KEY_REUSED. Equal requests at the same time run once. Failures are not stored. An account may use 20,000 keys in 24 hours, and 32 MB of answers; one more is 429 IDEMPOTENCY_KEYS_EXHAUSTED, and nothing was done. A key whose quote was unlocked or replaced since gets 409 IDEMPOTENT_QUOTE_ENDED.',
    '## GraphQL',
    [
      '- `viewer` says whose token came with the request and leads to the account. What belongs to an account is a field of it; its objects have ids, by which caches keep them.',
      '- A field that fails is null and has an error with `extensions.code`; the other fields keep their answers.',
      '- A mutation answers the errors that it lists in `errors` of its payload, each a type with members of its own. Errors of input, token, rights and limits fail the field, as in queries.',
      '- A request for a quote names its kind by a member: `createQuote(input: {send: {…}})`. `submitQuote` takes the address and the signature of each intent and delegation; all else is read from the stored quote.',
      '- A request may run about 25 operations. Documents may be named by their SHA-256 (`extensions.persistedQuery`). Enum values with a hyphen in REST have an underscore in GraphQL.',
    ].join('\n'),
    '## Errors',
    'A failure answers `{error, message, code?}`: `error` is a class, `message` is for people, `code` is for programs. A GraphQL error has the same as `message` and `extensions: {error, status, code}`. After any of these, the attempt sent nothing and holds no note. Only a 500 from `POST /relayer/request` leaves that open: repeat the request; if the first one was sent, the second gets its answer.',
    errorTable([...errors, ...graphErrors]),
    '## When a withdrawal is refused',
    'A well-formed `POST /relayer/request` that cannot be relayed answers 200 with `success: false` and `error: "<CODE>: <message>"`. A refused request holds no note: correct what the table names and send it again at once.',
    refusalTable(),
  ].join('\n\n')
}

function errorTable(errors: readonly DefinedError[]): string {
  const rows = errors.flatMap(({ terms: { code, kind, meaning, retry, fundsState = '–' } }) =>
    code === undefined
      ? []
      : [
          `| \`${code}\` | ${[String(statusOfKind(kind)), meaning, retry, fundsState].map(cell).join(' | ')} |`,
        ],
  )
  return ['| Code | Status | Meaning | May I retry? | My funds |', '|---|---|---|---|---|', ...rows].join(
    '\n',
  )
}

function refusalTable(): string {
  const rows = REFUSALS.map(
    ({ code, message, mayRetry, noteStillMine }) =>
      `| \`${code}\` | ${[message, mayRetry, noteStillMine].map(cell).join(' | ')} |`,
  )
  return ['| Code | Meaning | May I retry? | Is my note still mine? |', '|---|---|---|---|', ...rows].join(
    '\n',
  )
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
