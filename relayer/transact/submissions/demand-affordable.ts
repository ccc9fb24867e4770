import { zeroAddress } from 'viem'
import type { SubmittableQuote } from '../../../db/transact/intents-submit.ts'
import { costOf, type TransactionSize } from '../../chain/nodes/sending-price.ts'
import { weiOfToken, type FeeRate } from '../fees/network-fee.ts'
import type { SubmissionParts } from './submission-parts.ts'
import { quoteRefreshRequired } from '../errors.ts'
import { serverBusy } from '../../errors.ts'

/**
 * Checks that the signed fee covers what sending costs now, because an old quote must not be a free option on gas.
 *
 * @param sizes Of the transactions that it takes.
 * @param isNativeAtPar The token of the fee counts as so many native coins, without regard to its price.
 * @throws ServiceError QUOTE_REFRESH_REQUIRED; `unavailable` while the gas price is not known.
 */
export async function demandAffordable(
  parts: Pick<SubmissionParts, 'sendingPriceOf' | 'feePrices'>,
  quote: SubmittableQuote,
  { sizes, isNativeAtPar }: { sizes: readonly TransactionSize[]; isNativeAtPar: boolean },
): Promise<void> {
  const price = parts.sendingPriceOf(quote.chainId)
  if (price === null) throw serverBusy('The chain cannot be asked now; try again in a moment')
  const cover = await demandCover(parts, quote, isNativeAtPar)
  const cost = sizes.reduce((sum, size) => sum + costOf(price, size), 0n)
  if (cost > cover) throw quoteRefreshRequired('Sending costs more than was quoted by now: refresh the quote')
}

/** The network fee of a quote, or of one of its addresses, and its token. */
export type PaidFee = Pick<
  SubmittableQuote,
  'chainId' | 'token' | 'tokenDecimals' | 'networkFee' | 'feeListed'
>

/**
 * Wei that the signed network fee covers, at the prices of now.
 * @throws ServiceError QUOTE_REFRESH_REQUIRED if the token cannot pay fees now: a refresh says why.
 */
async function demandCover(
  parts: Pick<SubmissionParts, 'feePrices'>,
  quote: PaidFee,
  isNativeAtPar: boolean,
): Promise<bigint> {
  const cover = await readCover(parts, quote, isNativeAtPar)
  if (cover === null) throw quoteRefreshRequired('Fees cannot be taken in this token now: refresh the quote')
  return cover
}

/** Wei that a network fee covers, at the prices of now; null where no fee can be taken in the token now. */
export async function readCover(
  parts: Pick<SubmissionParts, 'feePrices'>,
  fee: PaidFee,
  isNativeAtPar: boolean,
): Promise<bigint | null> {
  const exchange = isNativeAtPar ? null : await readExchange(parts, fee)
  return exchange === undefined ? null : weiOfToken(fee.networkFee, { exchange })
}

/** The present prices of the native coin and the token; undefined where the token cannot pay fees as quoted. */
async function readExchange(
  { feePrices }: Pick<SubmissionParts, 'feePrices'>,
  { chainId, token, tokenDecimals, feeListed }: PaidFee,
): Promise<FeeRate['exchange'] | undefined> {
  if (token === zeroAddress) return null
  if (tokenDecimals === null) return undefined
  const { exchange, isListed } = await feePrices.read({ chainId, address: token, decimals: tokenDecimals })
  return exchange && isListed === feeListed ? { ...exchange, tokenDecimals } : undefined
}
