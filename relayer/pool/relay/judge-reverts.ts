import type { RevertFacts } from '../../../db/pool/relay/relay-reverts.ts'

const FIRST_SECONDS = 60
const LONGEST_SECONDS = 6 * 3_600
/** Recipients after which the note itself is to blame, because only its owner can make its proofs. */
const NOTE_RECIPIENTS = 2

/** Who has to wait after reverts, and for how many seconds. */
export interface RevertBlock {
  /** Who has to wait. */
  of: 'pair' | 'note' | 'recipient'
  seconds: number
}

/**
 * How long a note, a recipient, or the pair of both has to wait after relays that reverted; null when none has to.
 * The pair waits a minute, twice as long after each repetition. The note waits, whomever it pays, once it failed at
 * two recipients. The recipient waits, whatever note pays it, only after `blameRecipientAfter` distinct notes failed
 * there, so that one note cannot get an honest contract refused.
 */
export function judgeReverts(facts: RevertFacts, blameRecipientAfter: number): RevertBlock | null {
  const blocks: RevertBlock[] = [
    { of: 'pair', seconds: left(facts.pairFailures, facts.pairAge) },
    {
      of: 'note',
      seconds: facts.noteRecipients < NOTE_RECIPIENTS ? 0 : left(facts.noteFailures, facts.noteAge),
    },
    {
      of: 'recipient',
      seconds:
        facts.recipientNotes < blameRecipientAfter
          ? 0
          : left(facts.recipientFailures - blameRecipientAfter + 1, facts.recipientAge),
    },
  ]
  const [longest] = blocks.toSorted((a, b) => b.seconds - a.seconds)
  return longest && longest.seconds > 0 ? longest : null
}

const left = (failures: number, age: number) =>
  failures < 1 ? 0 : Math.min(FIRST_SECONDS * 2 ** Math.min(failures - 1, 20), LONGEST_SECONDS) - age
