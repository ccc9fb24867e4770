/**
 * What becomes of a submitted intent: one table of where it is and what is known of it, no I/O. `isolate-failing-intents.ts`
 * and `settle-batch.ts` find out what is known, and do what the table says. Attempts are counted by it alone.
 *
 * Evidence is about the intent itself, by its account and nonce on the chain, and never about a transaction or a form of
 * one: a transfer of nothing that took the place of its transaction says nothing of it.
 */

/** Where an intent is that has no end yet. */
export type IntentPlace =
  /** In the queue; no node ever had a transaction with it. */
  | 'unseen'
  /** In the queue; a node may have had a transaction with it, so others may know and execute it. */
  | 'exposed'
  /** In a transaction of the outbox. */
  | 'under-way'

/** What is known of it. */
export type Evidence =
  /** A final block has its execution, by whoever's transaction, and its calls were made. */
  | 'succeeded'
  /** A final block has its execution, and its calls did nothing; or its nonce was used up without them. */
  | 'burnt'
  /** A block that is not final has the execution of it or of another intent of its quote, or its transaction. */
  | 'not-final'
  /** No block up to a final one has executed it, and that block is later than its time. */
  | 'expired'
  /** It cannot be sent now, as its simulation or its delegation says. */
  | 'failing'
  /** The same, for the last time. */
  | 'failing-too-often'
  /** Its transaction is over and left it untouched. */
  | 'left-untouched'
  /** Its transaction was given up before it was mined. */
  | 'not-sent'
  /** Its time is over by our clock, and not yet by a final block. */
  | 'nothing-yet'

/** What is done about an intent, and how many attempts that adds to its count. */
export type Verdict =
  /** It ends. */
  | { readonly does: 'succeed' | 'fail' | 'expire' }
  /** It is put into the queue, or stays there, and has one attempt more. */
  | { readonly does: 'try-again'; readonly attempts: 1 }
  /** It stays where it is, and is looked at again. */
  | { readonly does: 'look-again'; readonly attempts: 0 }

const succeed = { does: 'succeed' } as const
const fail = { does: 'fail' } as const
const expire = { does: 'expire' } as const
const tryAgain = { does: 'try-again', attempts: 1 } as const
const lookAgain = { does: 'look-again', attempts: 0 } as const

/** What the chain says counts wherever an intent is. */
const byTheChain = { succeeded: succeed, burnt: fail, 'not-final': lookAgain, expired: expire } as const

/** Every place and all evidence: a pair that is missing does not compile. */
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
    // Anybody may still execute it: what was given up and is sent again would be paid twice. It is never sent any more.
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
} as const satisfies Record<IntentPlace, Record<Evidence, Verdict>>

/** What is done about an intent, by where it is and what is known of it. */
export const judgeIntent = (place: IntentPlace, evidence: Evidence): Verdict => VERDICTS[place][evidence]

/** What was found out about one intent of a quote. */
export interface IntentFacts {
  /** Whether a block has its execution; null where none has. */
  execution: { isFinal: boolean; state: 'succeeded' | 'burnt' | 'untouched' } | null
  /** Whether another intent of the quote was executed in a block that is not final. */
  isBesideUnsettled: boolean
  /** Whether a block has its transaction. */
  isMined: boolean
  /** Whether a final block is later than its time. */
  hasExpired: boolean
}

/**
 * The evidence that counts for an intent that cannot be sent, or whose time is over.
 * @param attempts Attempts that the quote's most tried intent has behind it; null while it is in a transaction.
 */
export function weighEvidence(
  { execution, isBesideUnsettled, isMined, hasExpired }: IntentFacts,
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
  // Its quote is simulated as a whole, and cannot go through beside an execution: that is no failure of its own.
  if (isBesideUnsettled) return 'not-final'
  return attempts + 1 >= maxAttempts ? 'failing-too-often' : 'failing'
}

/**
 * Whether an intent in the queue may be put into a transaction: not after its last attempt. An intent that others can make
 * fail gets only one, because it has put the gas of one transaction at risk.
 */
export const maySend = (
  {
    attempts,
    contracts,
    wasMined,
  }: { attempts: number; contracts: readonly string[] | null; wasMined: boolean },
  maxAttempts: number,
) => attempts < maxAttempts && !(contracts !== null && wasMined)
