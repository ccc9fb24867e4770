import { quoteMismatch } from '../errors.ts'
import { isDeepStrictEqual } from 'node:util'
import type { Submission } from '../transact.ts'
import type { SubmittedDelegation } from '../intents/delegation-wire.ts'
import type { SubmittedIntent } from '../intents/intent-wire.ts'
import { readQuote } from '../quotes/quote-document.ts'

/** The stored terms with the submitted signatures. */
export interface MatchedTerms {
  /** In the order of the quote: every member as quoted, with the submitted signature. */
  intents: SubmittedIntent[]
  /** The submitted delegations, likewise. */
  delegations: SubmittedDelegation[]
  /** Quoted delegations that were not submitted: needed unless the account has delegated in the meantime. */
  omitted: SubmittedDelegation[]
}

/**
 * Builds the signed intents and delegations from the stored terms and the submitted signatures. A member that differs
 * from the terms is refused: the client signed another quote, or the member was changed in transit.
 * @throws ServiceError QUOTE_MISMATCH unless each quoted intent is present exactly once, as quoted, and nothing else.
 */
export function matchTerms(terms: unknown, submission: Submission): MatchedTerms {
  const quoted = readQuote(terms)
  const given = indexBy(submission.intents, intentKey)
  const intents = quoted.intents.map((stored) => {
    const signed = given.take(intentKey(stored))
    if (!signed) throw quoteMismatch('intents: one of the quote is missing')
    demandSame('intents', flatten(stored.intent, stored), flatten(signed.intent, signed))
    return { ...stored, intent: { ...stored.intent, signature: signed.intent.signature } }
  })
  if (!given.isEmpty()) throw quoteMismatch('intents: one is not of the quote, or comes twice')

  const offered = indexBy(submission.delegations, delegationKey)
  const delegations: SubmittedDelegation[] = []
  const omitted: SubmittedDelegation[] = []
  for (const stored of quoted.delegations) {
    const signed = offered.take(delegationKey(stored))
    if (!signed) omitted.push(stored)
    else {
      demandSame('delegations', flatten(stored.delegation, stored), flatten(signed.delegation, signed))
      const { signature } = signed.delegation
      delegations.push({ ...stored, delegation: { ...stored.delegation, signature } })
    }
  }
  if (!offered.isEmpty()) throw quoteMismatch('delegations: one is not of the quote, or comes twice')
  return { intents, delegations, omitted }
}

/** Returns all members of an intent or a delegation except its signature. */
function flatten<Signed extends { signature: unknown }>(
  { signature: _signature, ...members }: Signed,
  { derivationNonce }: { derivationNonce: bigint },
) {
  return { ...members, derivationNonce }
}

function demandSame<Members extends object>(list: string, stored: Members, given: Members): void {
  const names = Object.keys(stored) as (keyof Members & string)[]
  const changed = names.filter((name) => !isDeepStrictEqual(stored[name], given[name]))
  if (changed.length > 0) throw quoteMismatch(`${list}: ${changed.join(', ')} differs from the quote`)
}

/** A nonce is unique only within its account. */
const intentKey = ({ chainId, intent }: SubmittedIntent) => `${chainId}:${intent.eoa}:${intent.intentNonce}`
const delegationKey = ({ delegation }: SubmittedDelegation) => `${delegation.chainId}:${delegation.address}`

function indexBy<Item>(items: readonly Item[], keyOf: (item: Item) => string) {
  const left = Map.groupBy(items, keyOf)
  return {
    /** Returns the item of a key if there is exactly one. */
    take(key: string): Item | undefined {
      const those = left.get(key)
      if (those?.length !== 1) return undefined
      left.delete(key)
      return those[0]
    },
    isEmpty: () => left.size === 0,
  }
}
