import type { UnfinishedOutbound } from '../../../db/chain/broadcast/outbound-watch.ts'
import { actOn, actOnAnswers, apart } from './act-on-answers.ts'
import { checkAgain, type Fitness } from './check-again.ts'
import { bumpFees, computeFees, meetsMarket } from './compute-fees.ts'
import type { NonceEvent } from './nonce-terms.ts'
import { nowOf } from './nonce-state.ts'
import { offerAgain } from './offer-forms.ts'
import { readMarket, type Outbox } from './outbox.ts'
import { capOf } from './replace-attempt.ts'
import { coveredUnmined, reviewUnmined } from './review-unmined.ts'

/**
 * Helps transactions that are in no block, in nonce order: those whose nonce the chain has counted already get another,
 * those that can only fail are offered as transfers of nothing, those that wait long are offered at a higher price, and
 * the rest are given to the nodes again now and then (at once after a start, a takeover or a reorg). None is sent again
 * before it is checked.
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

/** What happens to a transaction that is to be sent again, by what was found out about it. */
function withFitness(
  { chain }: Outbox,
  event: NonceEvent | null,
  fitness: Fitness = { is: 'unchecked' },
): { event: NonceEvent | null; detail: string } {
  if (event !== 'due' && event !== 'needs-new-form') return { event, detail: '' }
  // A private endpoint may hold a form that it shows to nobody: then only its review ends it.
  const isPrivate = (chain.config.relayer.privateRpcUrls ?? []).length > 0
  if (fitness.is === 'failing' && !isPrivate) return { event: 'would-fail', detail: fitness.reason }
  return { event: fitness.is === 'fit' ? event : null, detail: '' }
}

/** What time and the chain's count mean for a transaction that is in no block; null when it is to be left alone. */
function eventOf(outbox: Outbox, outbound: UnfinishedOutbound): NonceEvent | null {
  const counted = outbox.signers.get(outbound.signer)?.txNonce ?? 0
  if (outbound.txNonce < counted) return isUnproven(outbox, outbound) ? null : 'nonce-taken'
  if (outbound.needsEmptyForm || deservesBump(outbox, outbound)) return 'needs-new-form'
  return isDue(outbox, outbound) ? 'due' : null
}

/** Whether nodes were asked lately for a proof that it lost its nonce, which is many questions to each, and gave none. */
const isUnproven = (outbox: Outbox, { id }: UnfinishedOutbound): boolean =>
  outbox.now() - (outbox.unprovenAt.get(id) ?? -Infinity) < outbox.config.resendAfterMs

function isDue(outbox: Outbox, { id }: UnfinishedOutbound): boolean {
  const last = outbox.handedOverAt.get(id)
  return last === undefined || outbox.now() - last >= outbox.config.resendAfterMs
}

/** Whether a higher price helps: it is first in its line or below the market, old enough, and the cap does not forbid a price that the market takes. */
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
    // Others offer more than it does: the market has moved, however often it was raised before.
    const isOutbid = market.tip > newest.maxPriorityFeePerGas
    if (!isOutbid && attempts.length > config.maxBumps) return false
  }
  if (!meetsMarket(computeFees(market, maxGasPrice), market)) return false
  return bumpFees(newest, market, { bumpPercent: config.bumpPercent, maxGasPrice }) !== null
}
