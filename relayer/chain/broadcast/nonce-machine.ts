import type { NonceState, EndState, NonceEvent, Proof, Effect, Step } from './nonce-terms.ts'
import type { Sent } from './send-raw.ts'

/**
 * The life of a nonce: how a transaction of the outbox gets, keeps and gives it up. One table, no I/O. `nonce-state.ts`
 * reads the state of a row; the other files of this folder detect events, ask {@link step}, and apply its effect.
 * `nonce-machine.md` has the same table as a picture.
 *
 * The rule behind every row: other work gets a nonce only when no form of this work can provably be mined under it any more.
 */

const move = <To extends NonceState>(to: To, effect: Effect) => ({
  proof: 'none' as const,
  effect,
  to,
  until: to,
})
const stay = <State extends NonceState>(state: State, effect: Effect = 'wait') => move(state, effect)
const once = (proof: Proof, effect: Effect, to: NonceState, until: NonceState): Step => ({
  proof,
  effect,
  to,
  until,
})

/** Rows of the table that several states share. */
const receptionIsNoNews = (state: NonceState) => ({
  accepted: stay(state),
  silence: stay(state),
  'refused-by-all': stay(state),
})
const verdictIsNoNews = (state: NonceState) => ({
  'nonce-taken': stay(state),
  outbid: stay(state),
  'below-minimum': stay(state),
  market: stay(state),
  busy: stay(state),
  funds: stay(state),
  invalid: stay(state),
  unknown: stay(state),
  'unknown-too-often': stay(state),
})
const ownEventIsNoNews = (state: NonceState) => ({
  assigned: stay(state),
  due: stay(state),
  'needs-new-form': stay(state),
  pointless: stay(state),
  'would-fail': stay(state),
  'let-go': stay(state),
})
const wasNotMined = (state: NonceState) => ({
  'receipt-gone': stay(state),
  'final-success': stay(state),
  'final-revert': stay(state),
})

/** No node has a form: only the nonce has to be free to be given up. */
const refused = {
  accepted: move('sent', 'announce'),
  silence: stay('unheard'),
  'refused-by-all': stay('refused'),
  market: stay('refused'),
  busy: stay('refused'),
  unknown: stay('refused'),
  outbid: once('none', 'replace', 'unheard', 'refused'),
  'below-minimum': once('none', 'replace', 'unheard', 'refused'),
  'nonce-taken': once('counted', 'leave-nonce', 'queued', 'refused'),
  funds: once('none', 'free-nonce', 'queued', 'refused'),
  invalid: once('none', 'free-nonce', 'abandoned', 'refused'),
  'unknown-too-often': once('known-nowhere', 'free-nonce', 'abandoned', 'refused'),
  due: move('offered', 'offer'),
  'needs-new-form': once('none', 'replace', 'unheard', 'refused'),
  pointless: stay('refused', 'note-pointless'),
  'would-fail': once('none', 'free-nonce', 'abandoned', 'refused'),
  assigned: stay('refused'),
  'let-go': stay('refused'),
  receipt: move('mined', 'note-block'),
  ...wasNotMined('refused'),
} as const

/** A node may have a form: prove the opposite before giving up the nonce. */
const mayBeKnown = (state: 'unheard' | 'sent') =>
  ({
    silence: stay(state),
    'refused-by-all': stay(state),
    market: stay(state),
    busy: stay(state),
    unknown: stay(state),
    outbid: stay(state, 'replace'),
    'below-minimum': stay(state, 'replace'),
    'nonce-taken': once('counted-by-another', 'leave-nonce', 'queued', state),
    funds: once('known-nowhere', 'free-nonce', 'queued', state),
    invalid: once('known-nowhere', 'free-nonce', 'abandoned', state),
    'unknown-too-often': once('known-nowhere', 'free-nonce', 'abandoned', state),
    due: stay(state, 'offer'),
    'needs-new-form': stay(state, 'replace'),
    pointless: stay(state, 'note-pointless'),
    'would-fail': once('known-nowhere', 'free-nonce', 'abandoned', state),
    assigned: stay(state),
    'let-go': stay(state),
    receipt: move('mined', 'note-block'),
    ...wasNotMined(state),
  }) as const

/** Its end is a matter of blocks alone. */
const mined = {
  ...receptionIsNoNews('mined'),
  ...verdictIsNoNews('mined'),
  ...ownEventIsNoNews('mined'),
  receipt: stay('mined', 'note-block'),
  'receipt-gone': move('sent', 'forget-block'),
  'final-success': move('confirmed', 'settle'),
  'final-revert': move('reverted', 'settle'),
} as const

const ended = (state: EndState) => ({
  ...receptionIsNoNews(state),
  ...verdictIsNoNews(state),
  ...ownEventIsNoNews(state),
  receipt: stay(state),
  ...wasNotMined(state),
})

/** Every state and every event: a pair that is missing does not compile. */
export const TRANSITIONS = {
  queued: {
    ...receptionIsNoNews('queued'),
    ...verdictIsNoNews('queued'),
    ...ownEventIsNoNews('queued'),
    assigned: move('offered', 'offer'),
    pointless: move('abandoned', 'settle'),
    receipt: stay('queued'),
    ...wasNotMined('queued'),
  },
  offered: {
    ...ownEventIsNoNews('offered'),
    'let-go': stay('unheard'),
    accepted: move('sent', 'announce'),
    silence: stay('unheard'),
    'refused-by-all': stay('refused'),
    // A verdict comes after one of these three.
    ...verdictIsNoNews('offered'),
    receipt: move('mined', 'note-block'),
    ...wasNotMined('offered'),
  },
  refused,
  unheard: { ...mayBeKnown('unheard'), accepted: move('sent', 'announce') },
  sent: { ...mayBeKnown('sent'), accepted: stay('sent') },
  mined,
  confirmed: ended('confirmed'),
  reverted: ended('reverted'),
  abandoned: ended('abandoned'),
} as const satisfies Record<NonceState, Record<NonceEvent, Step>>

/**
 * The purpose of a transaction.
 * - `call`: requested work.
 * - `pointless`: work that can only fail by now; it gets no other nonce.
 * - `filler`: it only uses its nonce up, so that later ones can be mined.
 */
export type Purpose = 'call' | 'pointless' | 'filler'

/** The fate of a transaction that would lose its nonce, by its purpose. */
const LOSING_ITS_NONCE = {
  call: { 'free-nonce': 'as told', 'leave-nonce': 'as told' },
  pointless: { 'free-nonce': 'abandoned', 'leave-nonce': 'abandoned' },
  filler: { 'free-nonce': 'keeps it', 'leave-nonce': 'abandoned' },
} as const satisfies Record<
  Purpose,
  Record<'free-nonce' | 'leave-nonce', 'as told' | 'abandoned' | 'keeps it'>
>

/** Returns the step of an event in a state. Pure; the table above determines the rest. */
export function step(now: { state: NonceState; purpose: Purpose }, event: NonceEvent): Step {
  const found: Step = TRANSITIONS[now.state][event]
  const { effect } = found
  if (effect !== 'free-nonce' && effect !== 'leave-nonce') return found
  const fate = LOSING_ITS_NONCE[now.purpose][effect]
  if (fate === 'keeps it') return stay(found.until)
  return fate === 'abandoned' ? { ...found, to: 'abandoned' } : found
}

/** A nonce that was handed out, that the chain has not counted, and that no unfinished transaction has. */
export type Gap =
  /** Transactions of the same signer wait for it. */
  | 'below-others'
  /** None does. */
  | 'last'
  /** The chain lost a block with a transaction that was settled under it. */
  | 'settled-before'

/** How a gap is closed, so that it never stays open. */
export const CLOSING_GAPS = {
  'below-others': 'fill',
  last: 'count-back',
  'settled-before': 'send-again',
} as const satisfies Record<Gap, 'fill' | 'count-back' | 'send-again'>

/** Closes the gap of a nonce that its transaction gives up. `next` is the nonce that the signer would hand out now. */
export const closeFreed = (txNonce: number, next: number) =>
  CLOSING_GAPS[next === txNonce + 1 ? 'last' : 'below-others']

/**
 * Events of the answers to an offer: first the reception of the form, then the reason of a refusal.
 * @param limits `refusals`: refusals of unknown meaning so far; the transaction is given up after `maxRefusals`.
 */
export function eventsOf(
  sent: Sent,
  { refusals, maxRefusals }: { refusals: number; maxRefusals: number },
): readonly NonceEvent[] {
  if (sent.status === 'accepted') return ['accepted']
  if (sent.status !== 'refused') return ['silence']
  const isTooOften = sent.refusal === 'unknown' && refusals + 1 >= maxRefusals
  return [sent.isCertain ? 'refused-by-all' : 'silence', isTooOften ? 'unknown-too-often' : sent.refusal]
}
