import type { QuoteState } from '../../../db/transact/quotes.ts'
import type { ServiceError } from '../../service-error.ts'
import { quoteExpired, quoteNotRefreshable, quoteSubmitted } from '../errors.ts'

/**
 * The life of a quote, from locked to confirmed. One table, no I/O. Each writer of `quote.status` asks {@link quoteStep}, and
 * writes the state and its effect in one database transaction. Spends that wallets send themselves have the same states.
 *
 * The rule behind every row: funds are released only where no signed intent can be executed any more.
 */

/** An event in the life of a quote. */
export type LifeEvent =
  /** The client submits its signatures. */
  | 'submit'
  /** The client gives it up. */
  | 'unlock'
  /** The client asks for a new one in its place. */
  | 'replace'
  /** Its time is over. */
  | 'run-out'
  /** Final blocks have executed all of its intents. */
  | 'all-executed'
  /** All of its intents have ended, and some were not executed. */
  | 'some-failed'

/** Work that belongs to a change of state, in the same database transaction. */
type Effect =
  /** The signed intents are queued. */
  | 'queue-intents'
  /** The locked funds are free, and its recipient, terms and request are erased. */
  | 'release-funds'
  /** The same, and its replacement locks the funds. */
  | 'move-funds'
  /** Fees and shares are booked; what was spent stays locked until its block is indexed. */
  | 'book-fees'
  /** The same for its executed intents; the other funds are free. */
  | 'book-and-release'
  /** It is answered as the first time. */
  | 'answer-again'
  | 'nothing'

/** The outcome of an event: a state with its effect, or a refusal that changes nothing. */
type Step =
  | { readonly to: QuoteState; readonly effect: Effect }
  | { readonly to: QuoteState; readonly effect: 'refuse'; readonly refusal: () => ServiceError }

const move = <To extends QuoteState>(to: To, effect: Effect) => ({ to, effect })
const refuse = <State extends QuoteState>(to: State, refusal: () => ServiceError) => ({
  to,
  effect: 'refuse' as const,
  refusal,
})
const notRefreshable = (state: QuoteState) =>
  refuse(state, () => quoteNotRefreshable(`This quote is ${state}: ask for a new one`))

/** Without intents, or after their end, nothing comes of them. */
const noIntents = (state: QuoteState) => ({
  'all-executed': move(state, 'nothing'),
  'some-failed': move(state, 'nothing'),
})

/** It may be mined: only its intents end it. */
const beyondRecall = (state: QuoteState) => ({
  submit: move(state, 'answer-again'),
  unlock: refuse(state, () => quoteSubmitted()),
  replace: notRefreshable(state),
  'run-out': move(state, 'nothing'),
})

/** It ended before a client submitted it. */
const lapsed = (state: QuoteState, reason: string) => ({
  submit: refuse(state, () => quoteExpired(reason)),
  unlock: move(state, 'nothing'),
  replace: notRefreshable(state),
  'run-out': move(state, 'nothing'),
  ...noIntents(state),
})

/** Every state and every event: a pair that is missing does not compile. */
export const QUOTE_TRANSITIONS = {
  locked: {
    submit: move('submitted', 'queue-intents'),
    unlock: move('unlocked', 'release-funds'),
    replace: move('replaced', 'move-funds'),
    'run-out': move('expired', 'release-funds'),
    ...noIntents('locked'),
  },
  submitted: {
    ...beyondRecall('submitted'),
    'all-executed': move('confirmed', 'book-fees'),
    'some-failed': move('failed', 'book-and-release'),
  },
  confirmed: { ...beyondRecall('confirmed'), ...noIntents('confirmed') },
  failed: { ...beyondRecall('failed'), ...noIntents('failed') },
  unlocked: lapsed('unlocked', 'This quote was unlocked'),
  expired: lapsed('expired', 'This quote has run out'),
  replaced: lapsed('replaced', 'This quote was refreshed: submit the one that took its place'),
} as const satisfies Record<QuoteState, Record<LifeEvent, Step>>

/**
 * Returns the step of an event in a state. Pure; the table above determines it.
 * @throws ServiceError where the table refuses the event.
 */
export function quoteStep(state: QuoteState, event: LifeEvent): Exclude<Step, { effect: 'refuse' }> {
  const found: Step = QUOTE_TRANSITIONS[state][event]
  if (found.effect === 'refuse') throw found.refusal()
  return found
}

/** Returns the state of a quote that may have run out since it was written. */
export const stateByClock = (state: QuoteState, hasExpired: boolean): QuoteState =>
  state === 'locked' && hasExpired ? QUOTE_TRANSITIONS.locked['run-out'].to : state

/** True for a stored state; clients also see steps of `submitted`. */
export const isState = (status: string): status is QuoteState => Object.hasOwn(QUOTE_TRANSITIONS, status)

/** True if no event changes the state any more. */
export const isEnd = (state: QuoteState): boolean =>
  Object.values<Step>(QUOTE_TRANSITIONS[state]).every(({ to }) => to === state)
