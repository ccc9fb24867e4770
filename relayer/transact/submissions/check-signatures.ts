import { authorizationNonceStale, invalidSignature, quoteMismatch } from '../errors.ts'
import { isAddressEqual, type Address } from 'viem'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chain } from '../../chain/nodes/chain.ts'
import {
  judgeDelegation,
  readDelegationState,
  recoverDelegationSigner,
  type SignedDelegation,
  type SubmittedDelegation,
} from '../intents/delegation.ts'
import type { SubmissionParts } from './submission-parts.ts'
import { isDeepStrictEqual } from 'node:util'
import type { Submission } from '../transact.ts'
import { type SubmittedIntent, recoverIntentSigner } from '../intents/intent-wire.ts'
import { readQuote } from '../quotes/quote-document.ts'

/** Load-balanced nodes lag: a nonce that looks wrong is read again this often before it is refused. */
const REREADS = 3
const REREAD_AFTER_MS = 250

/**
 * Checks that the keys of the addresses signed. Needs no node once a domain is known.
 * @throws ServiceError INVALID_SIGNATURE, naming the position and not the address.
 */
export async function checkSignatures(
  { sendingChains, ecdsa, signers }: Pick<SubmissionParts, 'sendingChains' | 'ecdsa' | 'signers'>,
  { intents, delegations }: MatchedTerms,
): Promise<void> {
  for (const [place, { chainId, intent }] of intents.entries()) {
    const signer = recoverIntentSigner(ecdsa, intent, await sendingChains.domainOf(chainId))
    if (!signer || !isAddressEqual(signer, intent.eoa))
      throw invalidSignature(`intents[${place}].signature: is not of the key of its eoa`)
  }
  for (const [place, { delegation }] of delegations.entries()) {
    const signer = recoverDelegationSigner(ecdsa, delegation)
    if (!signer || !isAddressEqual(signer, delegation.address))
      throw invalidSignature(`delegations[${place}].signature: is not of the key of its address`)
    // Nodes accept only one pending transaction of a delegated sender.
    if (signers.has(delegation.address))
      throw quoteMismatch(`delegations[${place}]: this address may not delegate`)
  }
}

/**
 * Returns the delegations of these addresses that take effect now, by address. Nodes are queried about all of them at
 * once.
 * @throws ServiceError AUTHORIZATION_NONCE_STALE for one that the chain would skip; QUOTE_MISMATCH when one is missing.
 */
export async function checkDelegations(
  chain: Chain,
  { delegations, omitted }: MatchedTerms,
  addresses: readonly Address[],
): Promise<ReadonlyMap<string, SignedDelegation>> {
  const effective = new Map<string, SignedDelegation>()
  await Promise.all([
    ...delegations.map(async ({ delegation }, place) => {
      if (!addresses.includes(delegation.address)) return
      const verdict = await judgePatiently(chain, delegation)
      if (verdict === 'stale')
        throw authorizationNonceStale(
          `delegations[${place}].authorizationNonce: the address has sent a transaction since; refresh the quote`,
        )
      if (verdict === 'applies') effective.set(delegation.address, delegation)
    }),
    ...omitted.map(async ({ delegation }) => {
      if (!addresses.includes(delegation.address)) return
      if ((await judgePatiently(chain, delegation)) !== 'needless')
        throw quoteMismatch('delegations: one of the quote is missing')
    }),
  ])
  return effective
}

async function judgePatiently(chain: Chain, delegation: Parameters<typeof judgeDelegation>[0]) {
  for (let reread = 0; ; reread += 1) {
    const verdict = judgeDelegation(delegation, await readDelegationState(chain.client, delegation.address))
    if (verdict !== 'stale' || reread === REREADS) return verdict
    await sleep(REREAD_AFTER_MS)
  }
}

/** The stored terms with the submitted signatures. */
export interface MatchedTerms {
  /** In the order of the quote: every member as quoted, with the submitted signature. */
  intents: SubmittedIntent[]
  /** The submitted delegations, likewise. */
  delegations: SubmittedDelegation[]
  /** Quoted delegations that were not submitted: needed unless the account has delegated in the meantime. */
  omitted: ReturnType<typeof readQuote>['delegations']
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
    demandSame('intents', membersOf(stored, stored.intent), membersOf(signed, signed.intent))
    return { ...stored, intent: { ...stored.intent, signature: signed.intent.signature } }
  })
  if (!given.isEmpty()) throw quoteMismatch('intents: one is not of the quote, or comes twice')

  const offered = indexBy(submission.delegations, delegationKey)
  const delegations: SubmittedDelegation[] = []
  const omitted: MatchedTerms['omitted'] = []
  for (const stored of quoted.delegations) {
    const signed = offered.take(delegationKey(stored))
    if (!signed) omitted.push(stored)
    else {
      demandSame('delegations', membersOf(stored, stored.delegation), membersOf(signed, signed.delegation))
      const { signature } = signed.delegation
      delegations.push({ ...stored, delegation: { ...stored.delegation, signature } })
    }
  }
  if (!offered.isEmpty()) throw quoteMismatch('delegations: one is not of the quote, or comes twice')
  return { intents, delegations, omitted }
}

const membersOf = ({ derivationNonce }: { derivationNonce: bigint }, members: object) => ({
  ...members,
  derivationNonce,
})

/** Compares each stored member with the given one. */
function demandSame(list: string, stored: object, given: Readonly<Record<string, unknown>>): void {
  const changed = Object.entries(stored).flatMap(([name, value]) =>
    isDeepStrictEqual(value, given[name]) ? [] : [name],
  )
  if (changed.length > 0) throw quoteMismatch(`${list}: ${changed.join(', ')} differs from the quote`)
}

/** A nonce is unique only within its account. */
const intentKey = ({ chainId, intent }: { chainId: number; intent: { eoa: Address; intentNonce: bigint } }) =>
  `${chainId}:${intent.eoa}:${intent.intentNonce}`
const delegationKey = ({ delegation }: MatchedTerms['omitted'][number]) =>
  `${delegation.chainId}:${delegation.address}`

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
