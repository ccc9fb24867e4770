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
    'A failure answers `{error, message, code?}`: `error` is a class, `message` is for people, `code` for programs. A GraphQL error carries the same as `message` and `extensions: {error, status, code}`. After a 503 (`SERVER_BUSY`, `POOL_STATE_REFRESHING`) try again when `Retry-After` has passed: nothing was sent, and the note is still yours.',
    '## When a withdrawal is refused',
    'A well-formed `POST /relayer/request` that cannot be relayed answers 200 with `success: false` and `error: "<CODE>: <message>"`. A note whose request was refused is free at once.',
    refusalTable(),
  ].join('\n\n')
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
