import type { DatabaseTransactionConnection } from 'slonik'
import { lockForms, type LockedOutbound } from '../../../db/chain/broadcast/outbound-forms.ts'
import { abandonSigned, requeueSigned } from '../../../db/chain/broadcast/outbound-settle.ts'
import { lockSigner, raiseNextTxNonces, setNextTxNonce } from '../../../db/chain/broadcast/signer-leases.ts'
import { insertFiller, offerFillers } from './insert-filler.ts'
import { closeFreed, step } from './nonce-machine.ts'
import { type NonceEvent, type Step, purposeOf, stateOf } from './nonce-terms.ts'
import { signerKey, type Outbox, type SignedOutbound } from './outbox.ts'
import { prove } from './prove.ts'
import { settleInTransaction, tellSettled, type SettledOutbound } from './settle-outbound.ts'

/** Why a transaction would lose its nonce. `detail`: the node's own words, where it refused. */
export interface Cause {
  event: NonceEvent
  detail: string
}

/**
 * Takes its nonce from a transaction, if the state of its row allows it and the required proof holds. The transaction goes
 * back into the queue, or ends.
 *
 * It locks the row before it asks the nodes, which thus get no form meanwhile (see `offer-forms.ts`).
 */
export async function giveUpNonce(outbox: Outbox, outbound: SignedOutbound, cause: Cause): Promise<void> {
  const given = await outbox.pool.transaction(async (transaction) => {
    const row = await lockForms(transaction, outbound)
    return row && giveUpLocked(outbox, transaction, { outbound, row, cause })
  })
  if (!given) return void outbox.unprovenAt.set(outbound.id, outbox.now())
  outbox.unprovenAt.delete(outbound.id)
  outbox.handedOverAt.delete(outbound.id)
  outbox.reviewedAt.delete(outbound.id)
  outbox.heldAt.delete(outbound.id)
  outbox.failingSince.delete(outbound.id)
  const { reason } = given
  outbox.logger.warn(
    { outboundId: outbound.id, txNonce: outbound.txNonce, event: cause.event, reason },
    'a transaction gave up its nonce',
  )
  if (reason !== null) tellSettled(outbox, abandoned(outbound, reason))
  outbox.dispatch()
  if (given.filler) await offerFillers(outbox, [given.filler])
}

interface GivenUp {
  /** Why it ended; null when it is queued again. */
  reason: string | null
  filler: SignedOutbound | null
}

/** @returns Null when it keeps its nonce. */
async function giveUpLocked(
  outbox: Outbox,
  transaction: DatabaseTransactionConnection,
  { outbound, row, cause }: { outbound: SignedOutbound; row: LockedOutbound; cause: Cause },
): Promise<GivenUp | null> {
  const purpose = purposeOf({ ...outbound, pointless: row.pointless })
  const now: Step = step({ state: stateOf(row), purpose }, cause.event)
  if (now.effect !== 'free-nonce' && now.effect !== 'leave-nonce') return null
  const hashes = row.forms.map(({ hash }) => hash)
  const proven = await prove(outbox, now.proof, { ...outbound, hashes })
  if (!proven.holds) return null

  const key = signerKey(outbox, outbound.signer)
  const next = await lockSigner(transaction, key, outbox.owner)
  // Only the holder of the lease may hand a nonce out again. A nonce that the chain has used needs no handling.
  if (now.effect === 'free-nonce' && next === null) return null
  const reason = now.to === 'queued' ? null : reasonOf(cause, row.pointless)
  if (reason === null) await requeueSigned(transaction, outbound.id)
  else {
    await abandonSigned(transaction, outbound.id, reason)
    await settleInTransaction(outbox, transaction, outbound.kind, abandoned(outbound, reason))
  }
  if (now.effect === 'leave-nonce') {
    if (next !== null)
      await raiseNextTxNonces(transaction, key.chainId, [
        { address: outbound.signer, counted: proven.counted },
      ])
    return { reason, filler: null }
  }
  if (closeFreed(outbound.txNonce, next ?? 0) === 'fill')
    return { reason, filler: await insertFiller(outbox, transaction, outbound.signer, outbound.txNonce) }
  await setNextTxNonce(transaction, key, outbound.txNonce)
  return { reason, filler: null }
}

/** The stored reason of the end. */
function reasonOf({ event, detail }: Cause, pointless: string | null): string {
  if (event === 'invalid' || event === 'unknown-too-often' || event === 'would-fail') return detail
  return pointless ?? 'its nonce is used up'
}

const abandoned = (outbound: SignedOutbound, reason: string): SettledOutbound => ({
  outbound,
  settlement: { status: 'abandoned', reason },
})
