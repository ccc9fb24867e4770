import { markPointless, listQueuedCalls } from '../../../db/chain/broadcast/outbound-forms.ts'
import type { UnfinishedOutbound } from '../../../db/chain/broadcast/outbound-watch.ts'
import type { OutboundCall } from './broadcast-engine.ts'
import { isPricedOut, UNCOVERED, type CoveredCall } from './cover.ts'
import { step } from './nonce-machine.ts'
import { nowOf } from './nonce-terms.ts'
import type { Outbox } from './outbox.ts'
import { bytesAround } from './sign-attempt.ts'

/** Transactions whose kinds are asked about at once. */
const AT_ONCE = 16

/**
 * Asks the kinds of long-waiting transactions whether these can still succeed, and records those that cannot: their next
 * forms do nothing. Nothing is recorded without an answer.
 * @returns The transactions in their present state.
 */
export async function reviewUnmined(
  outbox: Outbox,
  waiting: readonly UnfinishedOutbound[],
): Promise<readonly UnfinishedOutbound[]> {
  const { pool, config, reviewers, reviewedAt } = outbox
  const isDue = (outbound: UnfinishedOutbound) =>
    outbound.pointless === null &&
    step(nowOf(outbound), 'pointless').effect === 'note-pointless' &&
    (reviewers.get(outbound.kind)?.unmined !== undefined || outbound.covered !== null) &&
    (outbound.attempts.at(-1)?.ageMs ?? 0) >= config.reviewAfterMs &&
    outbox.now() - (reviewedAt.get(outbound.id) ?? -Infinity) >= config.reviewAfterMs
  const due = waiting.filter(isDue).slice(0, AT_ONCE)
  if (due.length === 0) return waiting
  const calls = await listQueuedCalls(
    pool,
    due.map(({ id }) => id),
  )
  const changed = new Map<string, string>()
  await Promise.all(
    due.map(async (outbound) => {
      reviewedAt.set(outbound.id, outbox.now())
      const call = calls.get(outbound.id)
      const reason = call && (await review(outbox, outbound, call))
      if (reason) changed.set(outbound.id, reason)
    }),
  )
  return waiting.map((outbound) => {
    const pointless = changed.get(outbound.id)
    return pointless === undefined ? outbound : { ...outbound, pointless, needsEmptyForm: true }
  })
}

/** The cover of a transaction that has a nonce. */
export const coveredUnmined = (outbound: UnfinishedOutbound): CoveredCall => ({
  ...outbound,
  bytes: bytesAround(outbound.dataBytes, outbound.delegations),
})

/** The first transaction of its line makes room if its fee keeps it out of a block. */
const findPriceReason = (outbox: Outbox, outbound: UnfinishedOutbound): string | null =>
  outbox.signers.get(outbound.signer)?.txNonce === outbound.txNonce &&
  isPricedOut(outbox, coveredUnmined(outbound))
    ? UNCOVERED
    : null

async function review(
  outbox: Outbox,
  outbound: UnfinishedOutbound,
  call: Pick<OutboundCall, 'to' | 'data' | 'value' | 'gasLimit'>,
): Promise<string | null> {
  const { logger, pool, reviewers, chain } = outbox
  const { id, kind, reference } = outbound
  try {
    const asked = { chainId: chain.config.chainId, kind, reference, ...call }
    const reason = (await reviewers.get(kind)?.unmined?.(asked)) ?? findPriceReason(outbox, outbound)
    if (reason === null || !(await markPointless(pool, outbound, reason))) return null
    logger.warn(
      { outboundId: id, reason },
      'a transaction can only fail by now; a transfer of nothing replaces it',
    )
    return reason
  } catch (error) {
    logger.warn({ err: error, outboundId: id }, 'a waiting transaction could not be reviewed')
    return null
  }
}
