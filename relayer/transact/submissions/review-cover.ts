import type { Cover } from '../../../db/chain/broadcast/outbound-rows.ts'
import { noteCovered, postponeUncovered } from '../../../db/transact/batches.ts'
import { UNCOVERED } from '../../chain/broadcast/cover.ts'
import type { Chain } from '../../chain/nodes/chain.ts'
import { kindOf } from '../kinds/quote-kinds.ts'
import { batchBytes } from './simulate-batch.ts'
import type { QueuedGroup } from './plan-batches.ts'
import type { FailingGroup } from './send-batch.ts'
import type { SubmissionParts } from './submission-parts.ts'

/**
 * Computes the costs that the fees of waiting quotes cover at present prices. An uncovered quote waits, and fails once
 * it has waited `uncoveredWaitMs`. The others are returned with their cover.
 */
export async function reviewCover(
  parts: SubmissionParts,
  chain: Chain,
  quotes: readonly QueuedGroup[],
): Promise<{ covered: QueuedGroup[]; failing: FailingGroup[] }> {
  const { database, broadcast, config } = parts
  const { chainId } = chain.config
  const reckoned = await Promise.all(
    quotes.map(async (quote) => ({ ...quote, cover: await findCover(parts, chain, quote) })),
  )
  const isCovered = ({ cover, intents }: QueuedGroup) =>
    !cover || broadcast.isCovered(chainId, { ...cover, value: 0n, bytes: batchBytes(intents) })
  const covered = reckoned.filter(isCovered)
  const uncovered = reckoned.filter((quote) => !isCovered(quote))
  const hasWaited = ({ intents }: QueuedGroup) =>
    intents.some(({ uncoveredMs }) => (uncoveredMs ?? 0) >= config.uncoveredWaitMs)
  const idsOf = (those: readonly QueuedGroup[]) => those.flatMap(({ intents }) => intents.map(({ id }) => id))

  const waiting = idsOf(uncovered.filter((quote) => !hasWaited(quote)))
  if (waiting.length > 0) await postponeUncovered(database, waiting, config.uncoveredRetryMs)
  const again = covered.filter(({ intents }) => intents.some(({ uncoveredMs }) => uncoveredMs !== null))
  if (again.length > 0) await noteCovered(database, idsOf(again))
  return {
    covered,
    failing: uncovered.filter(hasWaited).map((quote) => ({ quote, reason: UNCOVERED })),
  }
}

/** Computes the cover of a quote; null if it pays nothing for gas. */
async function findCover(
  parts: SubmissionParts,
  { config }: Chain,
  { intents }: QueuedGroup,
): Promise<Cover | null> {
  const [first] = intents
  if (!first || first.quoteNetworkFee === 0n) return null
  const { kind, token, tokenDecimals, outputToken, quoteGasCost, quoteNetworkFee, feeListed } = first
  const networkFee = intents.reduce((sum, intent) => sum + intent.networkFee, 0n)
  const gasCost = (quoteGasCost * networkFee) / quoteNetworkFee
  const output = outputToken && { token: outputToken, expected: 0n, minimum: 0n }
  const isAtPar = kindOf(kind).isNativeAtPar(config, { token, output, details: {} })
  const fee = { chainId: config.chainId, token, tokenDecimals, networkFee, feeListed }
  // The stored gas is before refunds of at most a fifth.
  const gas = intents.reduce((sum, { transactionGas }) => sum + transactionGas, 0n)
  // Without a price, the gas cost at the time of the quote counts.
  const covered = (await parts.feePrices.readCover(fee, isAtPar)) ?? gasCost
  return { covered, likelyGas: (gas * 4n) / 5n }
}

/** Sums the cover of several quotes in one transaction; null if one of them pays nothing. */
export const sumCovers = (quotes: readonly QueuedGroup[]): Cover | null =>
  quotes.reduce<Cover | null>(
    (sum, { cover }) =>
      sum && cover
        ? { covered: sum.covered + cover.covered, likelyGas: sum.likelyGas + cover.likelyGas }
        : null,
    { covered: 0n, likelyGas: 0n },
  )
