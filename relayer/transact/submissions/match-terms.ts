import { isDeepStrictEqual } from 'node:util'
import type { Submission } from '../transact.ts'
import type { SubmittedDelegation } from '../intents/delegation-wire.ts'
import type { SubmittedIntent } from '../intents/intent-wire.ts'
import { readQuote } from '../quotes/quote-document.ts'
import { quoteMismatch } from './errors.ts'

/** The stored terms with the submitted signatures. */
export interface MatchedTerms {
  /** In the order of the quote: every field as it was quoted, the signature as it was submitted. */
  intents: SubmittedIntent[]
  /** Those that were submitted, likewise. */
  delegations: SubmittedDelegation[]
  /** Of quoted delegations that were not submitted: needed unless the account has delegated meanwhile. */
  omitted: SubmittedDelegation[]
}

/**
 * Builds the signed intents and delegations from the stored terms and the submitted signatures. A member that differs from
 * the terms is refused: its client signed another quote, or it was changed on the way.
 * @throws ServiceError QUOTE_MISMATCH unless each quoted intent is there exactly once, as quoted, and nothing else.
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

/** All members of an intent or a delegation but its signature. */
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
