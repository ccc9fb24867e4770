/**
 * Decides about a submitted intent: one table over its place and the evidence, without I/O.
 * `isolate-failing-intents.ts` and `settle-batch.ts` gather the evidence and carry out the verdict. Only this table
 * counts attempts.
 *
 * Evidence is about the intent itself, by its account and nonce on the chain, and never about a transaction or a form
 * of one. An empty transfer that replaced its transaction is no evidence.
 */

/** Place of an intent that has not ended. */
export type QueuePlace =
  /** In the queue; no node has ever received a transaction with it. */
  | 'unseen'
  /** In the queue; a node may have received a transaction with it, so others may know and execute it. */
  | 'exposed'
  /** In a transaction of the outbox. */
  | 'under-way'

/** Evidence about an intent. */
export type Evidence =
  /** A final block has its execution, by any transaction, and its calls were made. */
  | 'succeeded'
  /** A final block has its execution, and its calls did nothing; or its nonce was used up without them. */
  | 'burnt'
  /** A block that is not final has its execution, its transaction, or the execution of another intent of its quote. */
  | 'not-final'
  /** Up to a final block after its expiry, no block has executed it. */
  | 'expired'
  /** Its simulation or its delegation shows that it cannot be sent now. */
  | 'failing'
  /** The same, at its last attempt. */
  | 'failing-too-often'
  /** Its transaction is over and left it untouched. */
  | 'left-untouched'
  /** Its transaction was given up before it was mined. */
  | 'not-sent'
  /** It has expired by our clock, but not yet by a final block. */
  | 'nothing-yet'

/** Action on an intent, with the attempts that it adds to the count. */
export type Verdict =
  /** It ends. */
  | { readonly does: 'succeed' | 'fail' | 'expire' }
  /** It returns to the queue, or stays there, with one attempt more. */
  | { readonly does: 'try-again'; readonly attempts: 1 }
  /** It stays in its place, and is checked again. */
  | { readonly does: 'look-again'; readonly attempts: 0 }

const succeed = { does: 'succeed' } as const
const fail = { does: 'fail' } as const
const expire = { does: 'expire' } as const
const tryAgain = { does: 'try-again', attempts: 1 } as const
const lookAgain = { does: 'look-again', attempts: 0 } as const

/** Verdicts by the chain's evidence, the same in every place. */
const byTheChain = { succeeded: succeed, burnt: fail, 'not-final': lookAgain, expired: expire } as const

/** Verdicts for every place and all evidence: a missing pair does not compile. */
export const VERDICTS = {
  unseen: {
    ...byTheChain,
    failing: tryAgain,
    'failing-too-often': fail,
    'left-untouched': lookAgain,
    'not-sent': lookAgain,
    'nothing-yet': lookAgain,
  },
  exposed: {
    ...byTheChain,
    failing: tryAgain,
    // Anybody may still execute it, so a failed quote could pay and a second one would pay twice. It is never sent
    // again.
    'failing-too-often': tryAgain,
    'left-untouched': lookAgain,
    'not-sent': lookAgain,
    'nothing-yet': lookAgain,
  },
  'under-way': {
    ...byTheChain,
    failing: lookAgain,
    'failing-too-often': lookAgain,
    'left-untouched': tryAgain,
    'not-sent': tryAgain,
    'nothing-yet': lookAgain,
  },
} as const satisfies Record<QueuePlace, Record<Evidence, Verdict>>

/** Returns the verdict for a place and evidence. */
export const judgeIntent = (place: QueuePlace, evidence: Evidence): Verdict => VERDICTS[place][evidence]

/** Facts about one intent of a quote. */
export interface EvidenceFacts {
  /** Its execution and whether that block is final; null without one. */
  execution: { isFinal: boolean; state: 'succeeded' | 'burnt' | 'untouched' } | null
  /** Another intent of the quote was executed in a block that is not final. */
  isBesideUnsettled: boolean
  /** A block has its transaction. */
  isMined: boolean
  /** A final block is later than its expiry. */
  hasExpired: boolean
}

/**
 * Weighs the facts about an intent that cannot be sent, or that has expired.
 * @param attempts Past attempts of the quote's most tried intent; null while it is in a transaction.
 */
export function weighEvidence(
  { execution, isBesideUnsettled, isMined, hasExpired }: EvidenceFacts,
  attempts: number | null,
  maxAttempts: number,
): Evidence {
  if (isMined) return 'not-final'
  if (execution) {
    if (!execution.isFinal) return 'not-final'
    return execution.state === 'succeeded' ? 'succeeded' : 'burnt'
  }
  if (hasExpired) return 'expired'
  if (attempts === null) return 'nothing-yet'
  // A quote is simulated as a whole, and fails beside an execution of its own: that is no failure of this intent.
  if (isBesideUnsettled) return 'not-final'
  return attempts + 1 >= maxAttempts ? 'failing-too-often' : 'failing'
}

/**
 * True if an intent in the queue may be put into a transaction; false after its last attempt. An intent that others can
 * make fail gets only one attempt, because it has put the gas of one transaction at risk.
 */
export const maySend = (
  {
    attempts,
    contracts,
    wasMined,
  }: { attempts: number; contracts: readonly string[] | null; wasMined: boolean },
  maxAttempts: number,
) => attempts < maxAttempts && !(contracts !== null && wasMined)
