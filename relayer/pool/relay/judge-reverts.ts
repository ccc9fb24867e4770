import type { RevertFacts } from '../../../db/pool/relay/relay-reverts.ts'

const FIRST_SECONDS = 60
const LONGEST_SECONDS = 6 * 3_600
/** Number of recipients after which the note itself is to blame, because only its owner can make its proofs. */
const NOTE_RECIPIENTS = 2

/** A block after reverts, with its remaining seconds. */
export interface RevertBlock {
  /** The blocked party. */
  of: 'pair' | 'note' | 'recipient'
  seconds: number
}

/**
 * Returns how long a note, a recipient, or the pair of both has to wait after reverted relays; null for no wait. The
 * pair waits a minute, doubled after each repetition. The note waits at every recipient once it failed at two. The
 * recipient waits for every note only after `blameRecipientAfter` distinct notes failed there. So one note cannot get
 * an honest contract refused.
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
