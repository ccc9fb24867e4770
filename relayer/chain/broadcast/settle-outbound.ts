import type { DatabaseTransactionConnection } from 'slonik'
import { notifyOutbound } from '../../../db/chain/broadcast/outbound-rows.ts'
import { finishMined } from '../../../db/chain/broadcast/outbound-settle.ts'
import type { OutboundProgress, Settlement } from './broadcast-engine.ts'
import { encodeOutboxMessage } from './outbox-message.ts'
import { NONCE_FILLER, type Outbox, type SignedOutbound } from './outbox.ts'
import type { OutboundEvent } from './progress-board.ts'

/** A transaction of the outbox with how it ended. */
export interface SettledOutbound {
  outbound: Pick<SignedOutbound, 'id' | 'kind' | 'reference' | 'value' | 'pointless'>
  settlement: Settlement
}

/** A transaction of the outbox that was mined. */
export interface MinedOutbound extends SettledOutbound {
  settlement: Exclude<Settlement, { status: 'abandoned' }>
}

const progressOf = (settlement: Settlement): OutboundProgress =>
  settlement.status === 'abandoned'
    ? { status: 'abandoned', reason: settlement.reason }
    : { status: settlement.status, hash: settlement.hash }

/** The event that listeners get at an end. */
export const settledEvent = (
  outbox: Outbox,
  {
    outbound,
    settlement,
  }: { outbound: Pick<SignedOutbound, 'id' | 'kind' | 'reference'>; settlement: Settlement },
): OutboundEvent => ({
  outboundId: outbound.id,
  kind: outbound.kind,
  reference: outbound.reference,
  chainId: outbox.chain.config.chainId,
  progress: progressOf(settlement),
})

/** Runs the kind's handler, within the transaction that ends the rows, which are of one kind. */
async function book(
  outbox: Outbox,
  transaction: DatabaseTransactionConnection,
  kind: string,
  settled: readonly SettledOutbound[],
): Promise<void> {
  const { chainId } = outbox.chain.config
  const handler = outbox.handlers.get(kind)
  // Settling without the handler would lose the booking for good; a version that knows the kind will do it.
  if (!handler && kind !== NONCE_FILLER)
    throw new Error(`no handler settles transactions of the kind ${kind}`)
  await handler?.run(
    transaction,
    settled.map(({ outbound: { id, reference, value, pointless = null }, settlement }) => ({
      outbound: { id, reference, chainId, value, pointless },
      settlement,
    })),
  )
}

const messageOf = (outbox: Outbox, settled: Parameters<typeof settledEvent>[1]) =>
  encodeOutboxMessage({ what: 'progress', from: outbox.owner, event: settledEvent(outbox, settled) })

/**
 * Books the end of an unmined transaction and notifies the other instances, within the database transaction that ends its
 * row.
 */
export async function settleInTransaction(
  outbox: Outbox,
  transaction: DatabaseTransactionConnection,
  kind: string,
  settled: SettledOutbound,
): Promise<void> {
  await book(outbox, transaction, kind, [settled])
  await notifyOutbound(transaction, [messageOf(outbox, settled)])
}

/** Notifies the listeners of this instance, after the commit. */
export function tellSettled(outbox: Outbox, settled: SettledOutbound): void {
  outbox.handedOverAt.delete(settled.outbound.id)
  outbox.reviewedAt.delete(settled.outbound.id)
  outbox.heldAt.delete(settled.outbound.id)
  outbox.failingSince.delete(settled.outbound.id)
  outbox.unprovenAt.delete(settled.outbound.id)
  const event = settledEvent(outbox, settled)
  outbox.logger.info({ outboundId: event.outboundId, ...event.progress }, 'a transaction has ended')
  outbox.board.announce(event)
}

/** Ends transactions of one kind with the kind's bookings, all or none, and each only once. */
async function settleTogether(outbox: Outbox, kind: string, mined: readonly MinedOutbound[]): Promise<void> {
  const first = await outbox.pool.transaction(async (transaction) => {
    const ended = await finishMined(
      transaction,
      mined.map((one) => ({ id: one.outbound.id, ...one.settlement, message: messageOf(outbox, one) })),
    )
    const news = mined.filter(({ outbound }) => ended.has(outbound.id))
    if (news.length > 0) await book(outbox, transaction, kind, news)
    return news
  })
  for (const one of first) tellSettled(outbox, one)
}

/**
 * Ends transactions whose receipts are final, as many of a kind in one database transaction as its handler takes. One that
 * cannot be booked does not stop the others.
 * @returns The ids of those that have ended.
 */
export async function settleMined(
  outbox: Outbox,
  mined: readonly MinedOutbound[],
): Promise<ReadonlySet<string>> {
  const ended = new Set<string>()
  const settle = async (kind: string, group: readonly MinedOutbound[]) => {
    await settleTogether(outbox, kind, group)
    for (const { outbound } of group) ended.add(outbound.id)
  }
  for (const [kind, all] of Map.groupBy(mined, ({ outbound }) => outbound.kind)) {
    const atOnce = outbox.handlers.get(kind)?.atOnce ?? 1
    for (let from = 0; from < all.length; from += atOnce) {
      const group = all.slice(from, from + atOnce)
      try {
        await settle(kind, group)
      } catch (error) {
        // The one that cannot be booked must not hold up the others.
        if (group.length === 1) logUnsettled(outbox, group, error)
        else
          for (const one of group)
            await settle(kind, [one]).catch((failure: unknown) => logUnsettled(outbox, [one], failure))
      }
    }
  }
  return ended
}

function logUnsettled({ logger }: Outbox, [one]: readonly MinedOutbound[], error: unknown): void {
  logger.error(
    { err: error, outboundId: one?.outbound.id },
    'a transaction could not be settled; tried again later',
  )
}
