import { zeroAddress } from 'viem'
import type { SubmittableQuote } from '../../../db/transact/intents-submit.ts'
import { keyOf } from '../../market/tokens/token-id.ts'
import { costOf, type TransactionSize } from '../../chain/nodes/sending-price.ts'
import { weiOfToken, type FeeRate } from '../fees/network-fee.ts'
import type { SubmissionParts } from './submission-parts.ts'
import { quoteRefreshRequired } from '../errors.ts'
import { serverBusy } from '../../errors.ts'

/**
 * Checks that the signed fee covers what sending costs now, because an old quote must not be a free option on gas.
 *
 * @param sizes Of the transactions that it takes.
 * @param isNativeAtPar The token of the fee is worth as many native coins, whatever price it has.
 * @throws ServiceError QUOTE_REFRESH_REQUIRED; `unavailable` while the gas price is not known.
 */
export async function demandAffordable(
  parts: Pick<SubmissionParts, 'sendingPriceOf' | 'gasMarginPercent' | 'prices'>,
  quote: SubmittableQuote,
  { sizes, isNativeAtPar }: { sizes: readonly TransactionSize[]; isNativeAtPar: boolean },
): Promise<void> {
  const price = parts.sendingPriceOf(quote.chainId)
  if (price === null) throw serverBusy('The chain cannot be asked now; try again in a moment')
  const cover = await readCover(parts, quote, isNativeAtPar)
  const cost = sizes.reduce((sum, size) => sum + costOf(price, size), 0n)
  if (cost > cover) throw quoteRefreshRequired('Sending costs more than was quoted by now: refresh the quote')
}

/**
 * Wei that the signed network fee covers, at the prices of now. Where one of both prices is unknown now, it covers the cost
 * at quote time and the margin.
 */
async function readCover(
  parts: Pick<SubmissionParts, 'gasMarginPercent' | 'prices'>,
  quote: SubmittableQuote,
  isNativeAtPar: boolean,
): Promise<bigint> {
  const exchange = isNativeAtPar ? null : await readExchange(parts, quote)
  return exchange === undefined
    ? (quote.gasCost * BigInt(100 + parts.gasMarginPercent)) / 100n
    : weiOfToken(quote.networkFee, { exchange })
}

/** What the native coin and the token are worth now; undefined where that is not known. */
async function readExchange(
  { prices }: Pick<SubmissionParts, 'prices'>,
  { chainId, token, tokenDecimals }: SubmittableQuote,
): Promise<FeeRate['exchange'] | undefined> {
  if (token === zeroAddress) return null
  const [native, sent] = [
    { chainId, address: zeroAddress },
    { chainId, address: token },
  ]
  const worth = await prices.read([native, sent])
  const [nativeUsd, tokenUsd] = [worth.get(keyOf(native))?.usd, worth.get(keyOf(sent))?.usd]
  if (nativeUsd === undefined || tokenUsd === undefined || tokenDecimals === null) return undefined
  return { nativeUsd, tokenUsd, tokenDecimals }
}
