import { REFUSALS } from '../../relayer/withdrawals/refusals.ts'

/** The prose at the head of the API reference, in Markdown. */
export function introduction(): string {
  return [
    'Every operation here is also a GraphQL query or mutation of the same name at [/graphql](/graphql), with the same rules, answers and errors; subscriptions exist there only.',
    '## Conventions',
    [
      '- Bodies are JSON (`Content-Type: application/json`, anything else is a 400) of at most 256 KiB.',
      '- Amounts are decimal strings in the smallest unit, times are milliseconds since the epoch.',
      '- Addresses are 0x and 40 hex digits; a mixed-case one must carry a right EIP-55 checksum. The native asset is `0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE`.',
      '- The relayer’s bodies may have no members beyond those listed.',
      '- Every answer carries `X-Request-Id`; the operator finds the request in the log by it.',
    ].join('\n'),
    '## Errors',
    'A failure answers `{error, message, code?}`: `error` is a class, `message` is for people, `code` for programs. A GraphQL error carries the same as `message` and `extensions: {error, status, code}`. After any of these the attempt sent nothing and holds no note; only a 500 from `POST /relayer/request` leaves that open: repeat the request, and it gets the answer of the first if that was sent.',
    failureTable(),
    '## When a withdrawal is refused',
    'A well-formed `POST /relayer/request` that cannot be relayed answers 200 with `success: false` and `error: "<CODE>: <message>"`. A refused request holds no note: what the table names may be mended and sent at once.',
    refusalTable(),
  ].join('\n\n')
}

/** Codes of answers with an error status; those of refusals are the service's own table. */
const FAILURES: [code: string, status: number, meaning: string, mayRetry: string][] = [
  ['BAD_REQUEST', 400, 'The request is malformed; the message names each offending member.', 'Once mended.'],
  ['CHAIN_NOT_SUPPORTED', 400, 'This relayer does not serve that chain.', 'For another chain.'],
  ['ASSET_NOT_SUPPORTED', 400, 'No pool of that asset is served on the chain.', 'For another asset.'],
  [
    'WITHDRAWAL_AMOUNT_TOO_SMALL',
    400,
    'The amount is below the minimum, or the fee would exceed what the pool allows; `minAmount` is the bound.',
    'With a larger amount.',
  ],
  ['MAX_GAS_PRICE', 400, 'Gas costs more than this relayer pays.', 'Later.'],
  ['SERVER_BUSY', 503, 'A queue is full, or no signer has funds for gas.', 'After `Retry-After` seconds.'],
  ['POOL_STATE_REFRESHING', 503, 'The chain’s state is stale.', 'After `Retry-After` seconds.'],
]

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
