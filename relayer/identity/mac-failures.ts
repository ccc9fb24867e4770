import type { Logger } from 'pino'

/** Counts rows that grant access without a valid MAC; such rows are treated as absent. */
export interface MacFailures {
  tell(kind: 'account' | 'api-key' | 'unsealed-api-key' | 'oauth-code'): void
}

const SILENCE_MS = 60_000

const WHAT = {
  account: 'an account was refused whose auth address is not that of its sealed keys',
  'api-key': 'an API key was refused whose row was changed or copied: who writes to the database?',
  'unsealed-api-key':
    'an API key without a seal was refused: if it is of an earlier version, vouch for it by "api-key seal"',
  'oauth-code': 'a code of an extension was refused whose row this service did not write',
} as const

/** Logs the number of rows with an invalid MAC, at most once a minute for each kind. */
export function createMacFailures(logger: Logger): MacFailures {
  const untold = new Map<string, { times: number; quietUntil: number }>()
  return {
    tell(kind) {
      const seen = untold.get(kind) ?? { times: 0, quietUntil: 0 }
      seen.times += 1
      untold.set(kind, seen)
      if (Date.now() < seen.quietUntil) return
      logger.warn({ times: seen.times }, WHAT[kind])
      untold.set(kind, { times: 0, quietUntil: Date.now() + SILENCE_MS })
    },
  }
}
