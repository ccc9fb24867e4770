import { submittedDelegation } from '../../../../relayer/transact/intents/delegation.ts'
import { submittedIntent } from '../../../../relayer/transact/intents/intent-wire.ts'
import type { Submission } from '../../../../relayer/transact/transact.ts'

/** A submission in wire form. */
export interface WireSubmission {
  accountId: string
  quoteId: string
  intents: unknown[]
  delegations: unknown[]
}

export function readWire({ quoteId, intents, delegations }: WireSubmission): Submission {
  return {
    quoteId,
    intents: intents.map((intent) => submittedIntent.parse(intent)),
    delegations: delegations.map((delegation) => submittedDelegation.parse(delegation)),
  }
}
