import type { RevertFacts } from '../../../db/pool/relay/relay-reverts.ts'

const FIRST_SECONDS = 60
const LONGEST_SECONDS = 6 * 3_600
/** Recipients after which a note alone is to blame: nobody but its owner makes its proofs. */
const NOTE_RECIPIENTS = 2

/** Who has to wait after reverts, and for how many seconds. */
export interface RevertBlock {
  /** Who has to wait. */
  of: 'pair' | 'note' | 'recipient'
  seconds: number
}

/**
 * For how long a note, a recipient, or one with the other has to wait after relays that reverted; null where nobody has to.
 * The pair waits a minute, twice as long after each repetition; the note, whomever it pays, once it failed at two
 * recipients; the recipient, whatever note pays it, only once so many distinct notes failed there: with one note nobody
 * gets an honest contract refused.
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
