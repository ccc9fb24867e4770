import type { UnfinishedOutbound } from '../../../db/chain/broadcast/outbound-watch.ts'
import { actOn, actOnAnswers, apart } from './act-on-answers.ts'
import { checkAgain, type Fitness } from './check-again.ts'
import { bumpFees, computeFees, meetsMarket } from './compute-fees.ts'
import { type NonceEvent, nowOf } from './nonce-terms.ts'
import { offerAgain } from './offer-forms.ts'
import { readMarket, type Outbox } from './outbox.ts'
import { capOf } from './replace-attempt.ts'
import { coveredUnmined, reviewUnmined } from './review-unmined.ts'

/**
 * Helps transactions that are in no block, in nonce order. A transaction whose nonce the chain has counted already gets
 * another. One that can only fail is offered as a transfer of nothing, one that waits long at a higher price. The rest are
 * sent to the nodes again at intervals, and at once after a start, a takeover or a reorg. Each is checked before it is sent
 * again.
 */
export async function pushUnmined(outbox: Outbox, unmined: readonly UnfinishedOutbound[]): Promise<void> {
  const due: UnfinishedOutbound[] = []
  const reviewed = await reviewUnmined(
    outbox,
    unmined.filter(({ id }) => !outbox.inHand.has(id)),
  )
  const events = new Map(reviewed.map((outbound) => [outbound, eventOf(outbox, outbound)]))
  const fitness = await checkAgain(
    outbox,
    [...events].flatMap(([outbound, event]) =>
      event === 'due' || event === 'needs-new-form' ? { outbound, isSameForm: event === 'due' } : [],
    ),
  )
  for (const [outbound, found] of events) {
    const { event, detail } = withFitness(outbox, found, fitness.get(outbound.id))
    if (event === 'due') due.push(outbound)
    else if (event !== null)
      await apart(outbox, outbound, () =>
        actOn(outbox, outbound, { state: nowOf(outbound).state, event, detail }),
      )
  }
  await actOnAnswers(outbox, await offerAgain(outbox, due))
}

/** Returns the event of a transaction to send again, by its check. */
function withFitness(
  { chain }: Outbox,
  event: NonceEvent | null,
  fitness: Fitness = { is: 'unchecked' },
): { event: NonceEvent | null; detail: string } {
  if (event !== 'due' && event !== 'needs-new-form') return { event, detail: '' }
  // A private endpoint may hold a form without showing it: then only the review ends the transaction.
  const isPrivate = (chain.config.relayer.privateRpcUrls ?? []).length > 0
  if (fitness.is === 'failing' && !isPrivate) return { event: 'would-fail', detail: fitness.reason }
  return { event: fitness.is === 'fit' ? event : null, detail: '' }
}

/** Returns the event that time and the chain's count cause for a transaction in no block; null to leave it alone. */
function eventOf(outbox: Outbox, outbound: UnfinishedOutbound): NonceEvent | null {
  const counted = outbox.signers.get(outbound.signer)?.txNonce ?? 0
  if (outbound.txNonce < counted) return isUnproven(outbox, outbound) ? null : 'nonce-taken'
  if (outbound.needsEmptyForm || deservesBump(outbox, outbound)) return 'needs-new-form'
  return isDue(outbox, outbound) ? 'due' : null
}

/**
 * True if nodes were asked lately for a proof that it lost its nonce, without success: each proof costs each node many
 * questions.
 */
const isUnproven = (outbox: Outbox, { id }: UnfinishedOutbound): boolean =>
  outbox.now() - (outbox.unprovenAt.get(id) ?? -Infinity) < outbox.config.resendAfterMs

function isDue(outbox: Outbox, { id }: UnfinishedOutbound): boolean {
  const last = outbox.handedOverAt.get(id)
  return last === undefined || outbox.now() - last >= outbox.config.resendAfterMs
}

/**
 * True if a higher price helps. The transaction is first in its line or below the market, old enough, and the cap allows a
 * price that enters a block.
 */
function deservesBump(outbox: Outbox, outbound: UnfinishedOutbound): boolean {
  const { signer, txNonce, attempts, pointless } = outbound
  const { config } = outbox
  const market = readMarket(outbox)
  const [newest] = attempts
  if (!market || !newest || newest.ageMs < config.bumpAfterMs) return false
  const maxGasPrice = capOf(outbox, pointless, coveredUnmined(outbound))
  const account = outbox.signers.get(signer)
  if (!account?.leased) return false
  if (meetsMarket(newest, market)) {
    if (account.txNonce !== txNonce) return false
    // Others offer more than it does: the market has moved, so ignore the number of earlier raises.
    const isOutbid = market.tip > newest.maxPriorityFeePerGas
    if (!isOutbid && attempts.length > config.maxBumps) return false
  }
  if (!meetsMarket(computeFees(market, maxGasPrice), market)) return false
  return bumpFees(newest, market, { bumpPercent: config.bumpPercent, maxGasPrice }) !== null
}
