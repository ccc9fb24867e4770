import type { Hash } from 'viem'
import { notifyOutbound } from '../../../db/chain/broadcast/outbound-channel.ts'
import { markAccepted } from '../../../db/chain/broadcast/outbound-watch.ts'
import { encodeOutboxMessage } from './outbox-message.ts'
import type { Outbox, SignedOutbound } from './outbox.ts'

/** Notes that a node took these attempts, and tells of those that are news: a first or a new hash, or one of which no node was known to have it. */
export async function bookAccepted(
  outbox: Outbox,
  accepted: readonly { outbound: SignedOutbound; hash: Hash; isNews?: boolean }[],
): Promise<void> {
  if (accepted.length === 0) return
  const moved = await markAccepted(
    outbox.pool,
    accepted.map(({ hash }) => hash),
  )
  await tellSent(
    outbox,
    accepted.filter(({ outbound, isNews }) => isNews || moved.has(outbound.id)),
  )
}

/** Tells the listeners here and in the other instances that a node has these transactions. */
export async function tellSent(
  outbox: Outbox,
  sent: readonly { outbound: SignedOutbound; hash: Hash }[],
): Promise<void> {
  const { pool, board, owner } = outbox
  const { chainId } = outbox.chain.config
  const events = sent.map(({ outbound: { id, kind, reference }, hash }) => ({
    outboundId: id,
    kind,
    reference,
    chainId,
    progress: { status: 'sent' as const, hash },
  }))
  for (const event of events) board.announce(event)
  await notifyOutbound(
    pool,
    events.map((event) => encodeOutboxMessage({ what: 'progress', from: owner, event })),
  )
}
