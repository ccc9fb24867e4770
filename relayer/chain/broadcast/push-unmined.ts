import type { UnfinishedOutbound } from '../../../db/chain/broadcast/outbound-watch.ts'
import { bookAccepted } from './book-accepted.ts'
import { bumpFees, computeFees, meetsMarket } from './compute-fees.ts'
import { handleRefusal } from './handle-refusal.ts'
import { offerNewest } from './offer-newest.ts'
import { readMarket, type Outbox } from './outbox.ts'
import { capOf, replaceAttempt } from './replace-attempt.ts'
import { resolveTakenNonce } from './resolve-taken-nonce.ts'
import { reviewUnmined } from './review-unmined.ts'

/**
 * Helps transactions that are in no block, in nonce order: those whose nonce the chain has counted already get another,
 * those that can only fail are offered as transfers of nothing, those that wait long are offered at a higher price, and
 * the rest are given to the nodes again now and then (at once after a start, a takeover or a reorg).
 */
export async function pushUnmined(outbox: Outbox, unmined: readonly UnfinishedOutbound[]): Promise<void> {
  const resend: UnfinishedOutbound[] = []
  for (const outbound of await reviewUnmined(
    outbox,
    unmined.filter(({ id }) => !outbox.inHand.has(id)),
  )) {
    const counted = outbox.signers.get(outbound.signer)?.txNonce ?? 0
    if (outbound.txNonce < counted) {
      const hashes = outbound.attempts.map(({ hash }) => hash)
      const isNew = outbound.attempts.every(({ delivery }) => delivery === 'refused')
      await resolveTakenNonce(outbox, outbound, { hashes, isNew })
    } else if (outbound.needsEmptyForm || deservesBump(outbox, outbound))
      await replaceAttempt(outbox, outbound)
    else if (isDue(outbox, outbound)) resend.push(outbound)
  }
  await resendNewest(outbox, resend)
}

function isDue(outbox: Outbox, { id }: UnfinishedOutbound): boolean {
  const last = outbox.handedOverAt.get(id)
  return last === undefined || outbox.now() - last >= outbox.config.resendAfterMs
}

/** Whether a higher price helps: it is first in its line or below the market, old enough, and the cap does not forbid a price that the market takes. */
function deservesBump(outbox: Outbox, { signer, txNonce, attempts, pointless }: UnfinishedOutbound): boolean {
  const { config } = outbox
  const market = readMarket(outbox)
  const [newest] = attempts
  if (!market || !newest || newest.ageMs < config.bumpAfterMs) return false
  const maxGasPrice = capOf(outbox, pointless !== null)
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

async function resendNewest(outbox: Outbox, unmined: readonly UnfinishedOutbound[]): Promise<void> {
  const answers = await offerNewest(outbox, unmined)
  await bookAccepted(
    outbox,
    answers.filter(({ sent }) => sent.status === 'accepted'),
  )
  const refused = answers.filter(({ sent }) => sent.status !== 'accepted')
  for (const { outbound, sent } of refused.toReversed())
    await handleRefusal(outbox, outbound, sent, { isFirstSend: false })
}
