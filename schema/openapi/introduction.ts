import { FAILURES } from '../define/failure-codes.ts'
import { REFUSALS } from '../../relayer/pool/relay/refusals.ts'

/** From nothing to a payment, by the operations that a wallet calls. */
const FIRST_STEPS = [
  '`GET /v1/nonce` for the address of the spending key. Put it into a Sign-In with Ethereum message, sign that with the spending key (EIP-191) and `POST /v1/verify` both: the answer has the `token`, and the `accountId` where there is an account.',
  'Where there is none, encrypt the key material to the key of `GET /v1/.well-known/hpke-public-key` and `POST /v1/accounts/`.',
  '`POST /v1/accounts/{accountId}/payment-address` gives an address to be paid at; its `nonce` says which of the client’s keys it belongs to.',
  '`GET /v1/accounts/{accountId}/balance` and `GET /v1/accounts/{accountId}/activities` say what came in, the subscriptions `balanceChanged` and `activityAdded` say so as it comes.',
  '`POST /v1/accounts/{accountId}/quote` locks funds and answers what to sign. Verify its `signature` with the key of `GET /v1/.well-known/quote-signer-public-key`, sign every intent (EIP-712) and delegation (EIP-7702) with the key of its address, and `POST /v1/accounts/{accountId}/submit`; or give it up by `POST /v1/accounts/{accountId}/unlock`.',
  '`GET /v1/accounts/{accountId}/relay-status/{quoteId}` says how far it is, the subscription `quoteStatus` each step.',
]

/** The prose at the head of the API reference, in Markdown. */
export function introduction(): string {
  return [
    'Every operation here is also a GraphQL query or mutation of the same name at [/graphql](/graphql), with the same rules, answers and errors; subscriptions exist there only.',
    '## First steps',
    FIRST_STEPS.map((step, index) => `${index + 1}. ${step}`).join('\n'),
    '## Conventions',
    [
      '- Bodies are JSON (`Content-Type: application/json`, anything else is a 400) of at most 256 KiB; of at most 16 KiB where no token is needed, and 96 KiB at `/graphql` without one.',
      '- Amounts are decimal strings in the smallest unit. Times are ISO 8601 in UTC; under `/relayer` they are milliseconds since the epoch.',
      '- Addresses are 0x and 40 hex digits; a mixed-case one must carry a right EIP-55 checksum, and answers carry it. The native coin is the zero address; under `/relayer` it is `0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE`, as in the pools.',
      '- The relayer’s bodies may have no members beyond those listed.',
      '- Every answer carries `X-Request-Id`; the operator finds the request in the log by it.',
    ].join('\n'),
    '## Tokens',
    'Operations with a lock want `Authorization: Bearer <token>`: the token of a sign-in, of the extension, or an API key. What needs no token ignores a bad one. An account is open to its own tokens only: any other accountId, known or not, is refused with the same words. A token may be limited to reading.',
    '## Limits',
    'Limits count by account where a token is needed, else by client address (IPv6 by /64), for each operation by itself and over all instances. Requests without a good token count by address. An operation with a limit answers with `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers); a 429 says in `Retry-After` when the window ends, a GraphQL error in `extensions.retryAfter`. A field of a GraphQL request counts like a request.',
    '## Repeating safely',
    'Operations that take an `Idempotency-Key` (1 to 255 characters; in GraphQL the argument `idempotencyKey`) keep their answer for 24 hours: the same key with the same input gets it again, with another input 400 IDEMPOTENCY_KEY_REUSED. Equal requests at the same time run once. Failures are not kept. An account may use 20,000 keys in 24 hours; one more is 429 IDEMPOTENCY_KEYS_EXHAUSTED, and nothing was done.',
    '## GraphQL',
    '`viewer` says whose token came along and leads to the account; `account(accountId)` leads there too, and what belongs to an account is a field of it. A field that fails is null and has an error; the others keep their answers. A request may run some 25 operations. Documents may be named by their SHA-256 (`extensions.persistedQuery`). Values of enums that have a hyphen by REST have an underscore there.',
    '## Errors',
    'A failure answers `{error, message, code?}`: `error` is a class, `message` is for people, `code` for programs. A GraphQL error carries the same as `message` and `extensions: {error, status, code}`. After any of these the attempt sent nothing and holds no note; only a 500 from `POST /relayer/request` leaves that open: repeat the request, and it gets the answer of the first if that was sent.',
    failureTable(),
    '## When a withdrawal is refused',
    'A well-formed `POST /relayer/request` that cannot be relayed answers 200 with `success: false` and `error: "<CODE>: <message>"`. A refused request holds no note: what the table names may be mended and sent at once.',
    refusalTable(),
  ].join('\n\n')
}

function failureTable(): string {
  const rows = FAILURES.map(([code, ...cells]) => `| \`${code}\` | ${cells.join(' | ')} |`)
  return ['| Code | Status | Meaning | May I retry? |', '|---|---|---|---|', ...rows].join('\n')
}

function refusalTable(): string {
  const rows = Object.entries(REFUSALS).map(
    ([code, { message, mayRetry, noteStillMine }]) =>
      `| \`${code}\` | ${[message, mayRetry, noteStillMine].map(cell).join(' | ')} |`,
  )
  return ['| Code | Meaning | May I retry? | Is my note still mine? |', '|---|---|---|---|', ...rows].join(
    '\n',
  )
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
