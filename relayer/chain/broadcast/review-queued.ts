import { abandonQueued } from '../../../db/chain/broadcast/outbound-settle.ts'
import {
  listUnreviewed,
  markReviewed,
  type QueuedOutbound,
} from '../../../db/chain/broadcast/outbound-queue.ts'
import { isFailureFinal } from './check-again.ts'
import { coveredCall, isCovered, UNCOVERED } from './cover.ts'
import type { Outbox } from './outbox.ts'
import { settleInTransaction, settledEvent } from './settle-outbound.ts'

/** Rows of one review round. */
const ROUND = 32

/**
 * Terms for queued transactions that need a review before they are signed. They are due as early as transactions that nodes
 * dropped, for both are sent long after their simulation.
 */
export const reviewTerms = ({ reviewers, config }: Outbox) => ({
  kinds: [...reviewers.keys()],
  afterMs: Math.min(config.reviewAfterMs, config.resendAfterMs),
})

/**
 * Reviews old queued transactions. The gas price was above the cap for long, no signer could pay, or a restored database
 * holds transactions that were mined long ago. A failing one is abandoned once no reorg can undo its failure. Until then it
 * waits without blocking others, as does one that cannot be reviewed because no node answers.
 */
export async function reviewQueued(outbox: Outbox): Promise<void> {
  const { pool, chain, signers, unreviewable } = outbox
  if (outbox.reviewers.size === 0 || ![...signers.values()].some(({ leased }) => leased)) return
  const terms = { limit: ROUND, except: [...unreviewable] }
  const old = await listUnreviewed(pool, chain.config.chainId, terms, reviewTerms(outbox))
  if (old.length < ROUND) unreviewable.clear()
  const fit = await Promise.all(old.map((queued) => review(outbox, queued)))
  if (fit.flat().length > 0) await markReviewed(pool, fit.flat())
}

/** @returns @returns Its id if it is fit to be sent, else nothing. */
async function review(outbox: Outbox, queued: QueuedOutbound): Promise<string[]> {
  const { logger, reviewers, chain, failingSince, unreviewable } = outbox
  const { chainId } = chain.config
  try {
    if (!isCovered(outbox, coveredCall(queued))) {
      await abandon(outbox, queued, UNCOVERED)
      return []
    }
    const reason = await reviewers.get(queued.kind)?.queued({ chainId, ...queued })
    if (!reason) {
      failingSince.delete(queued.id)
      return [queued.id]
    }
    if (isFailureFinal(outbox, queued.id)) await abandon(outbox, queued, reason)
    else unreviewable.add(queued.id)
  } catch (error) {
    unreviewable.add(queued.id)
    logger.warn({ err: error, outboundId: queued.id }, 'a queued transaction could not be reviewed; it waits')
  }
  return []
}

async function abandon(outbox: Outbox, queued: QueuedOutbound, reason: string): Promise<void> {
  const { pool, logger, board } = outbox
  const settled = { outbound: queued, settlement: { status: 'abandoned', reason } as const }
  const isAbandoned = await pool.transaction(async (transaction) => {
    if (!(await abandonQueued(transaction, queued.id, reason))) return false
    await settleInTransaction(outbox, transaction, queued.kind, settled)
    return true
  })
  if (!isAbandoned) return
  logger.warn(
    { outboundId: queued.id, reason },
    'a transaction that waited long would fail now; it is not sent',
  )
  board.announce(settledEvent(outbox, settled))
}
