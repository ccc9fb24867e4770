import type { SendVerdict } from './classify-send-error.ts'
import type { UnfinishedOutbound } from '../../../db/chain/broadcast/outbound-watch.ts'
import { NONCE_FILLER } from './outbox.ts'
import type { Purpose } from './nonce-machine.ts'

/** The state of a transaction. A form is one signed version of it; all forms have the same nonce. */
export type NonceState =
  /** It has no nonce. */
  | 'queued'
  /** Signed and on disk. No node has a form; this instance sends one to the nodes now, with the row locked. */
  | 'offered'
  /** Every form was refused, and no node has one. */
  | 'refused'
  /** A node may have a form; none is known to. */
  | 'unheard'
  /** A node accepted a form. */
  | 'sent'
  /** A form is in a block that a reorg may still remove. */
  | 'mined'
  | EndState

/** A state that a transaction never leaves. */
export type EndState = 'confirmed' | 'reverted' | 'abandoned'

/** An event of the service itself. */
type OwnEvent =
  /** It got a signer and a nonce, and was signed: written in one database transaction. */
  | 'assigned'
  /** Its newest form is due to be sent to the nodes again. */
  | 'due'
  /** Its newest form offers too little, or still makes a call that can only fail. */
  | 'needs-new-form'
  /** Its kind says that it can only fail by now. */
  | 'pointless'
  /** Its kind says, before a form of it is given to nodes again, that the newest block would refuse it. */
  | 'would-fail'
  /** The instance that worked on it ended, or lost the signer's lease. */
  | 'let-go'

/** The reception of a form by the nodes. */
type Reception =
  /** A node has it. */
  | 'accepted'
  /** A node may have accepted it, without an answer that we understand. */
  | 'silence'
  /** Every reached node refused it, in words that we understand. */
  | 'refused-by-all'

/** Why a node refused a form; it follows `silence` or `refused-by-all`. */
type Answer = Reception | SendVerdict | 'unknown-too-often'

/** An event on the chain. */
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

/** The proof that must hold before the effect happens and the transaction moves. */
export type Proof =
  /** Nothing: the state and the event say enough. */
  | 'none'
  /** Two nodes count past the nonce, and none shows a receipt of its forms; the only node of a chain suffices. */
  | 'counted'
  /** The same, also as of a final block; and no block has one of its forms. */
  | 'counted-by-another'
  /** Every node answers, and none knows one of its forms. */
  | 'known-nowhere'

/** The effect of a step. */
export type Effect =
  /** Nothing now: the watcher returns to it. */
  | 'wait'
  /** Its newest form is sent to the nodes, with the row locked. */
  | 'offer'
  /** Waiting callers are notified that a node has it. */
  | 'announce'
  /** A new form is signed, written and offered: at a higher price, or as a transfer of nothing. */
  | 'replace'
  /** The reason why it can only fail is stored; its next form is a transfer of nothing. */
  | 'note-pointless'
  /** The block of its form is stored. */
  | 'note-block'
  /** The block is cleared, and its newest form is offered in the next round. */
  | 'forget-block'
  /** It ends, and its kind books how. */
  | 'settle'
  /** It loses its nonce, which is handed out again or used up by a filler. */
  | 'free-nonce'
  /** It loses its nonce, which the chain has used for something else. */
  | 'leave-nonce'

/** The transition of a transaction on an event. */
export interface Step {
  readonly proof: Proof
  readonly effect: Effect
  /** The state once the proof holds and the effect is done. */
  readonly to: NonceState
  /** The state until then, and when the proof fails. */
  readonly until: NonceState
}

/** The columns of a transaction that determine its state. */
export interface OutboundFacts {
  status: 'queued' | 'signed' | 'sent' | 'confirmed' | 'reverted' | 'abandoned'
  /** The form that is in a block; null while none is known to be. */
  minedHash: string | null
  forms: readonly { delivery: 'unknown' | 'accepted' | 'refused' }[]
}

/** The state of a row. No row is `offered`: an instance that ends while it gives a form to nodes leaves `unheard` behind. */
export function stateOf({ status, minedHash, forms }: OutboundFacts): Exclude<NonceState, 'offered'> {
  if (status !== 'signed' && status !== 'sent') return status
  if (minedHash !== null) return 'mined'
  if (status === 'sent') return 'sent'
  return forms.every(({ delivery }) => delivery === 'refused') ? 'refused' : 'unheard'
}

/** Returns the purpose of a transaction. `pointless`: why it can only fail by now; null while it may succeed. */
export function purposeOf({ kind, pointless }: { kind: string; pointless?: string | null }): Purpose {
  if (kind === NONCE_FILLER) return 'filler'
  return (pointless ?? null) === null ? 'call' : 'pointless'
}

/** State and purpose of a transaction as it was listed. */
export const nowOf = (outbound: UnfinishedOutbound) => ({
  state: stateOf({ ...outbound, forms: outbound.attempts }),
  purpose: purposeOf(outbound),
})
