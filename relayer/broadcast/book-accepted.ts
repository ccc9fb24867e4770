import type { Hash } from 'viem'
import { notifyOutbound } from '../../db/broadcast/outbound-channel.ts'
import { markAccepted } from '../../db/broadcast/outbound-watch.ts'
import { encodeMessage } from './outbox-message.ts'
import { sentEvent, type Outbox, type SignedOutbound } from './outbox.ts'

/** Notes that a node took these attempts, and tells of those transactions that no node had before or that have a new hash. */
export async function bookAccepted(
  outbox: Outbox,
  accepted: readonly { outbound: SignedOutbound; hash: Hash; isReplacement?: boolean }[],
): Promise<void> {
  if (accepted.length === 0) return
  const { pool, board, owner } = outbox
  const moved = await markAccepted(
    pool,
    accepted.map(({ hash }) => hash),
  )
  const events = accepted
    .filter(({ outbound, isReplacement }) => isReplacement || moved.has(outbound.id))
    .map(({ outbound, hash }) => sentEvent(outbox, outbound, hash))
  for (const event of events) board.announce(event)
  for (const event of events)
    await notifyOutbound(pool, encodeMessage({ what: 'progress', from: owner, event }))
}
