/** Milliseconds; a client makes its proof after a fee was quoted. */
const QUOTE_TTL_MS = 600_000
/** Milliseconds; the answer to a request may take so long. */
const ANSWER_WITHIN_MS = 120_000
/** Milliseconds; a submission's answer waits so long for its hash. */
const SEND_WAIT_MS = 30_000
/** Milliseconds; a simulation that takes longer is given up, and its request answered with 503. On a busy machine it takes seconds. */
const PATIENT = { simulateTimeoutMs: 30_000 }

type Members = Record<string, unknown>

const membersOf = (settings: Members, name: string) => settings[name] as Members | undefined

/** Settings as in a configuration file under which a busy machine changes no answer; a test's own settings stand. */
export function patientSettings(settings: Members): Members {
  const transact = membersOf(settings, 'transact') ?? {}
  return {
    ...settings,
    http: { answerWithinMs: ANSWER_WITHIN_MS, ...membersOf(settings, 'http') },
    proving: { simulateTimeoutMs: 60_000, ...membersOf(settings, 'proving') },
    withdrawals: { ...PATIENT, quoteTtlMs: QUOTE_TTL_MS, ...membersOf(settings, 'withdrawals') },
    transact: {
      ...PATIENT,
      questionSpacingMs: 0,
      ...transact,
      submissions: { ...PATIENT, sendWaitMs: SEND_WAIT_MS, ...membersOf(transact, 'submissions') },
    },
  }
}
