import type { Hash, Hex } from 'viem'
import { lockNewestForms, noteOffered } from '../../../db/chain/broadcast/outbound-forms.ts'
import type { UnfinishedOutbound } from '../../../db/chain/broadcast/outbound-watch.ts'
import { bookAccepted } from './book-accepted.ts'
import type { NodeRequest } from './list-nodes.ts'
import { step } from './nonce-machine.ts'
import { type NonceState, nowOf } from './nonce-terms.ts'
import type { Outbox, SignedOutbound } from './outbox.ts'
import { sendToAll, sendToFirst, type Sent } from './send-raw.ts'

/** A form that was sent to nodes, and their answer. */
export interface OfferedForm<Outbound> {
  outbound: Outbound
  /** State of the transaction when its form was sent. */
  state: NonceState
  hash: Hash
  sent: Sent
}

/**
 * Sends the newest form of each transaction to all nodes. It skips transactions that ended, moved or were mined since they
 * were listed.
 */
export async function offerAgain(
  outbox: Outbox,
  listed: readonly UnfinishedOutbound[],
): Promise<OfferedForm<UnfinishedOutbound>[]> {
  const offers = listed.map((outbound) => offerOf(outbound, step(nowOf(outbound), 'due').to))
  // Committed before a node can have them again.
  const refused = offers.flatMap(({ outbound, state }) =>
    state === 'offered' ? (outbound.attempts[0]?.hash ?? []) : [],
  )
  if (refused.length > 0) await noteOffered(outbox.pool, refused)
  return offerLocked(outbox, offers, sendToAll)
}

/**
 * Sends newly written forms, beside others of the same transactions or as fillers, to all nodes.
 * @param isNews Their hashes differ from those that listeners know.
 */
export function offerWritten(
  outbox: Outbox,
  written: readonly SignedOutbound[],
  isNews: boolean,
): Promise<OfferedForm<SignedOutbound>[]> {
  const offers = written.map((outbound) => ({ outbound, state: 'unheard' as const, isNews }))
  return offerLocked(outbox, offers, sendToAll)
}

/**
 * Sends the first forms of transactions to the first node that answers, while this instance has the leases of their signers.
 * Without a lease another instance may have given up their nonces. The skipped ones are offered again later. One that the
 * watcher has offered meanwhile may be known: a refusal no longer proves that no node has it.
 */
export function offerFirst<Outbound extends SignedOutbound>(
  outbox: Outbox,
  assigned: readonly Outbound[],
): Promise<OfferedForm<Outbound>[]> {
  const offers = assigned.map((outbound) =>
    offerOf(outbound, outbox.handedOverAt.has(outbound.id) ? 'unheard' : 'offered'),
  )
  return offerLocked(outbox, offers, sendToFirst, outbox.owner)
}

/** A form to send to nodes. */
interface Offer<Outbound> {
  outbound: Outbound
  state: NonceState
  /** Notify listeners of an acceptance even if they were notified before. */
  isNews: boolean
}

const offerOf = <Outbound>(outbound: Outbound, state: NonceState): Offer<Outbound> => ({
  outbound,
  state,
  isNews: state === 'offered',
})

/**
 * The rows stay locked until the nodes have answered: a step that abandons a transaction waits, and then asks whether a node
 * has it. Acceptances are stored before the locks are released.
 */
async function offerLocked<Outbound extends SignedOutbound>(
  outbox: Outbox,
  offers: readonly Offer<Outbound>[],
  give: (nodes: readonly NodeRequest[], raw: Hex) => Promise<Sent>,
  lessee?: string,
): Promise<OfferedForm<Outbound>[]> {
  if (offers.length === 0) return []
  const { pool, takers, handedOverAt, now, board, logger } = outbox
  const { answers, news } = await pool.transaction(async (transaction) => {
    const forms = await lockNewestForms(
      transaction,
      offers.map(({ outbound }) => outbound),
      lessee,
    )
    const given = await Promise.all(
      offers.flatMap((offer) => {
        const form = forms.get(offer.outbound.id)
        if (!form) return []
        handedOverAt.set(offer.outbound.id, now())
        return [give(takers, form.raw).then((sent) => ({ ...offer, hash: form.hash, sent }))]
      }),
    )
    const accepted = given.filter(({ sent }) => sent.status === 'accepted')
    return { answers: given, news: await bookAccepted(outbox, transaction, accepted) }
  })
  for (const event of news) {
    logger.info({ outboundId: event.outboundId, ...event.progress }, 'a node accepted a transaction')
    board.announce(event)
  }
  return answers
}
