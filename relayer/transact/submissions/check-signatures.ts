import { authorizationNonceStale, invalidSignature, quoteMismatch } from '../errors.ts'
import { isAddressEqual, type Address } from 'viem'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chain } from '../../chain/nodes/chain.ts'
import {
  judgeDelegation,
  readDelegationState,
  recoverDelegationSigner,
  type SignedDelegation,
} from '../intents/delegation.ts'
import { recoverIntentSigner } from '../intents/recover-intent-signer.ts'
import type { MatchedTerms } from './match-terms.ts'
import type { SubmissionParts } from './submission-parts.ts'

/** Load-balanced nodes lag: a nonce that looks wrong is read again this often before it is refused. */
const REREADS = 3
const REREAD_AFTER_MS = 250

/**
 * Checks that the keys of the addresses signed. Needs no node once a domain is known.
 * @throws ServiceError INVALID_SIGNATURE, naming the position and not the address.
 */
export async function checkSignatures(
  { domains, ecdsa, signers }: Pick<SubmissionParts, 'domains' | 'ecdsa' | 'signers'>,
  { intents, delegations }: MatchedTerms,
): Promise<void> {
  for (const [place, { chainId, intent }] of intents.entries()) {
    const signer = recoverIntentSigner(ecdsa, intent, await domains.domainOf(chainId))
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

async function judgePatiently(chain: Chain, delegation: SignedDelegation) {
  for (let reread = 0; ; reread += 1) {
    const verdict = judgeDelegation(delegation, await readDelegationState(chain.client, delegation.address))
    if (verdict !== 'stale' || reread === REREADS) return verdict
    await sleep(REREAD_AFTER_MS)
  }
}
