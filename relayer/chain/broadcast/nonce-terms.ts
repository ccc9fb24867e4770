import type { SendVerdict } from './classify-send-error.ts'

/** What is known of a transaction. A form is one signed version of it; all forms have the same nonce. */
export type NonceState =
  /** It has no nonce. */
  | 'queued'
  /** Signed and on disk. No node has a form; this instance gives one to the nodes now, with the row locked. */
  | 'offered'
  /** Every form was refused, and no node has one. */
  | 'refused'
  /** A node may have a form; none is known to. */
  | 'unheard'
  /** A node took a form. */
  | 'sent'
  /** A form is in a block that a reorg may still remove. */
  | 'mined'
  | EndState

/** A state that a transaction never leaves. */
export type EndState = 'confirmed' | 'reverted' | 'abandoned'

/** What the service itself decides or suffers. */
type OwnEvent =
  /** It got a signer and a nonce, and was signed: written in one database transaction. */
  | 'assigned'
  /** It is time to give its newest form to the nodes again. */
  | 'due'
  /** Its newest form offers too little, or still makes a call that can only fail. */
  | 'needs-new-form'
  /** Its kind says that it can only fail by now. */
  | 'pointless'
  /** Its kind says, before a form of it is given to nodes again, that the newest block would refuse it. */
  | 'would-fail'
  /** The instance that worked on it ended, or lost the signer's lease. */
  | 'let-go'

/** Where a form is after it was given to the nodes. */
type Reception =
  /** A node has it. */
  | 'accepted'
  /** A node may have taken it without a word that we understand. */
  | 'silence'
  /** Every node that was reached said no, in words that we understand. */
  | 'refused-by-all'

/** Why a node refused a form; it follows `silence` or `refused-by-all`. */
type Answer = Reception | SendVerdict | 'unknown-too-often'

/** What the chain shows. */
type ChainEvent =
  /** A block has one of its forms. */
  | 'receipt'
  /** The block that had its form is not the chain's any more. */
  | 'receipt-gone'
  /** The block of its form is final, and the call succeeded. */
  | 'final-success'
  /** The block of its form is final, and the call reverted. */
  | 'final-revert'

/** `nonce-taken` comes from a node's answer, and from a signer's count above the nonce while no form has a receipt. */
export type NonceEvent = OwnEvent | Answer | ChainEvent

/** What has to be shown before the effect happens and the transaction moves. */
export type Proof =
  /** Nothing: the state and the event say enough. */
  | 'none'
  /** Two nodes count past the nonce, and none shows a receipt of its forms; the only node of a chain suffices. */
  | 'counted'
  /** The same, also as of a final block; and no block has one of its forms. */
  | 'counted-by-another'
  /** Every node answers, and none knows one of its forms. */
  | 'known-nowhere'

/** What is done about it. */
export type Effect =
  /** Nothing now: the watcher comes back to it. */
  | 'wait'
  /** Its newest form is given to the nodes, with the row locked. */
  | 'offer'
  /** Those who wait are told that a node has it. */
  | 'announce'
  /** A new form is signed, written and offered: at a higher price, or as a transfer of nothing. */
  | 'replace'
  /** The reason why it can only fail is written down; its next form is a transfer of nothing. */
  | 'note-pointless'
  /** The block of its form is written down. */
  | 'note-block'
  /** The block is forgotten, and its newest form is offered at the next look. */
  | 'forget-block'
  /** It ends, and its kind books how. */
  | 'settle'
  /** It loses its nonce, which is handed out again or used up by a filler. */
  | 'free-nonce'
  /** It loses its nonce, which the chain has used for something else. */
  | 'leave-nonce'

/** What an event does to a transaction. */
export interface Step {
  readonly proof: Proof
  readonly effect: Effect
  /** Where it is once the proof holds and the effect is done. */
  readonly to: NonceState
  /** Where it is until then, and where it stays when the proof fails. */
  readonly until: NonceState
}
