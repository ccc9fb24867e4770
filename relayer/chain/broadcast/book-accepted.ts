import type { CommonQueryMethods } from 'slonik'
import type { Hash } from 'viem'
import { notifyOutbound } from '../../../db/chain/broadcast/outbound-rows.ts'
import { markAccepted } from '../../../db/chain/broadcast/outbound-watch.ts'
import { encodeOutboxMessage } from './outbox-message.ts'
import type { Outbox, SignedOutbound } from './outbox.ts'
import type { OutboundEvent } from './progress-board.ts'

/**
 * Records that a node accepted these attempts. Notifies the other instances of a first or new hash, and of a hash that no
 * node was known to have.
 * @returns The events to publish to this instance's listeners after the commit.
 */
export async function bookAccepted(
  outbox: Outbox,
  transaction: CommonQueryMethods,
  accepted: readonly { outbound: SignedOutbound; hash: Hash; isNews: boolean }[],
): Promise<readonly OutboundEvent[]> {
  if (accepted.length === 0) return []
  const events = accepted.map((one) => ({ ...sentEvent(outbox, one), isNews: one.isNews }))
  const moved = await markAccepted(
    transaction,
    events.map(({ isNews, ...event }) => ({
      hash: event.progress.hash,
      outboundId: event.outboundId,
      isNews,
      message: encodeOutboxMessage({ what: 'progress', from: outbox.owner, event }),
    })),
  )
  return events.flatMap(({ isNews, ...event }) => (isNews || moved.has(event.outboundId) ? event : []))
}

/** Publishes to listeners here and in the other instances that a node has these transactions. */
export async function tellSent(
  outbox: Outbox,
  sent: readonly { outbound: SignedOutbound; hash: Hash }[],
): Promise<void> {
  const { pool, board, owner } = outbox
  const events = sent.map((one) => sentEvent(outbox, one))
  for (const event of events) board.announce(event)
  await notifyOutbound(
    pool,
    events.map((event) => encodeOutboxMessage({ what: 'progress', from: owner, event })),
  )
}

const sentEvent = (
  { chain }: Outbox,
  { outbound: { id, kind, reference }, hash }: { outbound: SignedOutbound; hash: Hash },
) => ({
  outboundId: id,
  kind,
  reference,
  chainId: chain.config.chainId,
  progress: { status: 'sent' as const, hash },
})
