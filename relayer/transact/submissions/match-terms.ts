import { z } from 'zod'
import type { Submission } from '../transact.ts'
import { submittedDelegation, type SubmittedDelegation } from '../intents/delegation-wire.ts'
import { submittedIntent, type SubmittedIntent } from '../intents/intent-wire.ts'
import { quoteMismatch } from './errors.ts'

/** What a quote asked to have signed. Whatever else is in its terms concerns people. */
const signedTerms = z.object({
  intents: z.array(z.record(z.string(), z.unknown())).min(1),
  delegations: z.array(z.record(z.string(), z.unknown())).default([]),
})

/** The stored terms with the submitted signatures. */
export interface MatchedTerms {
  /** In the order of the quote: every field as it was quoted, the signature as it was submitted. */
  intents: SubmittedIntent[]
  /** Those that were submitted, likewise. */
  delegations: SubmittedDelegation[]
  /** Of quoted delegations that were not submitted: needed unless the account has delegated meanwhile. */
  omitted: SubmittedDelegation[]
}

/** 65 bytes that no key has made, to read an unsigned object as a signed one. */
const NO_SIGNATURE = `0x${'00'.repeat(64)}1b`

/**
 * Rebuilds what is to be sent: payment fields, implementation and the like are not signed, so that nothing but the
 * signatures is taken from the client.
 * @throws ServiceError QUOTE_MISMATCH unless each quoted intent is there exactly once, and nothing else.
 */
export function matchTerms(terms: unknown, submission: Submission): MatchedTerms {
  const quoted = signedTerms.parse(terms)
  const given = indexBy(submission.intents, intentKey)
  const intents = quoted.intents.map((unsigned) => {
    const stored = submittedIntent.parse({ ...unsigned, signature: NO_SIGNATURE })
    const signed = given.take(intentKey(stored))
    if (!signed) throw quoteMismatch('intents: one of the quote is missing')
    return { ...stored, intent: { ...stored.intent, signature: signed.intent.signature } }
  })
  if (!given.isEmpty()) throw quoteMismatch('intents: one is not of the quote, or comes twice')

  const offered = indexBy(submission.delegations, delegationKey)
  const delegations: SubmittedDelegation[] = []
  const omitted: SubmittedDelegation[] = []
  for (const unsigned of quoted.delegations) {
    const stored = submittedDelegation.parse({ ...unsigned, signature: NO_SIGNATURE })
    const signed = offered.take(delegationKey(stored))
    if (!signed) omitted.push(stored)
    else {
      const { signature } = signed.delegation
      delegations.push({ ...stored, delegation: { ...stored.delegation, signature } })
    }
  }
  if (!offered.isEmpty()) throw quoteMismatch('delegations: one is not of the quote, or comes twice')
  return { intents, delegations, omitted }
}

/** A nonce alone is not a name: it is the account's. */
const intentKey = ({ chainId, intent }: SubmittedIntent) => `${chainId}:${intent.eoa}:${intent.intentNonce}`
const delegationKey = ({ delegation }: SubmittedDelegation) => `${delegation.chainId}:${delegation.address}`

function indexBy<Item>(items: readonly Item[], keyOf: (item: Item) => string) {
  const left = Map.groupBy(items, keyOf)
  return {
    /** The item of a key when it is there exactly once. */
    take(key: string): Item | undefined {
      const those = left.get(key)
      if (those?.length !== 1) return undefined
      left.delete(key)
      return those[0]
    },
    isEmpty: () => left.size === 0,
  }
}
