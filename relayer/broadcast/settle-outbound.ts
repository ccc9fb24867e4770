import type { DatabaseTransactionConnection } from 'slonik'
import { notifyOutbound } from '../../db/broadcast/outbound-channel.ts'
import { finishMined } from '../../db/broadcast/outbound-settle.ts'
import type { OutboundProgress, Settlement } from './broadcast-engine.ts'
import { encodeMessage } from './outbox-message.ts'
import { NONCE_FILLER, type Outbox, type SignedOutbound } from './outbox.ts'
import type { OutboundEvent } from './progress-board.ts'

const progressOf = (settlement: Settlement): OutboundProgress =>
  settlement.status === 'abandoned'
    ? { status: 'abandoned', reason: settlement.reason }
    : { status: settlement.status, hash: settlement.hash }

const settledEvent = (outbox: Outbox, outbound: SignedOutbound, settlement: Settlement): OutboundEvent => ({
  outboundId: outbound.id,
  kind: outbound.kind,
  reference: outbound.reference,
  chainId: outbox.chain.config.chainId,
  progress: progressOf(settlement),
})

/** Runs the kind's handler and tells the other instances, within the transaction that ends the row. */
export async function settleInTransaction(
  outbox: Outbox,
  transaction: DatabaseTransactionConnection,
  outbound: SignedOutbound,
  settlement: Settlement,
): Promise<void> {
  const { id, kind, reference, value } = outbound
  const handler = outbox.handlers.get(kind)
  // Settling without the handler would lose the booking for good; the version that knows the kind will do it.
  if (!handler && kind !== NONCE_FILLER) throw new Error(`nobody settles transactions of the kind ${kind}`)
  await handler?.(transaction, { id, reference, chainId: outbox.chain.config.chainId, value }, settlement)
  const event = settledEvent(outbox, outbound, settlement)
  await notifyOutbound(transaction, encodeMessage({ what: 'progress', from: outbox.owner, event }))
}

/** Tells the listeners of this instance, after the commit. */
export function tellSettled(outbox: Outbox, outbound: SignedOutbound, settlement: Settlement): void {
  outbox.handedOverAt.delete(outbound.id)
  outbox.board.announce(settledEvent(outbox, outbound, settlement))
}

/** Ends a transaction whose receipt is final: the row and what its kind books of it, both or neither, and only once. */
export async function settleMined(
  outbox: Outbox,
  outbound: SignedOutbound,
  settlement: Exclude<Settlement, { status: 'abandoned' }>,
): Promise<void> {
  const isFirst = await outbox.pool.transaction(async (transaction) => {
    if (!(await finishMined(transaction, outbound.id, settlement))) return false
    await settleInTransaction(outbox, transaction, outbound, settlement)
    return true
  })
  if (isFirst) tellSettled(outbox, outbound, settlement)
}
