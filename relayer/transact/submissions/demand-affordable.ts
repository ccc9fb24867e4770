import { zeroAddress } from 'viem'
import type { QuoteRow } from '../../../db/transact/quotes.ts'
import { costOf, type TransactionSize } from '../../chain/nodes/sending-price.ts'
import { weiOfToken, type FeeRate } from '../fees/network-fee.ts'
import type { SubmissionParts } from './submission-parts.ts'
import { quoteRefreshRequired } from '../errors.ts'
import { serverBusy } from '../../errors.ts'

/**
 * Checks that the signed fee covers the present cost of sending, because an old quote must not be a free option on gas.
 *
 * @param sizes Sizes of its transactions.
 * @param isNativeAtPar The fee's token counts as the native coin, without regard to its price.
 * @throws ServiceError QUOTE_REFRESH_REQUIRED; `unavailable` while the gas price is not known.
 */
export async function demandAffordable(
  parts: Pick<SubmissionParts, 'sendingPriceOf' | 'feePrices'>,
  quote: PaidFee,
  { sizes, isNativeAtPar }: { sizes: readonly TransactionSize[]; isNativeAtPar: boolean },
): Promise<void> {
  const price = parts.sendingPriceOf(quote.chainId)
  if (price === null) throw serverBusy('The chain does not answer now; try again in a moment')
  const cover = await demandCover(parts, quote, isNativeAtPar)
  const cost = sizes.reduce((sum, size) => sum + costOf(price, size), 0n)
  if (cost > cover) throw quoteRefreshRequired('Sending costs more than was quoted by now: refresh the quote')
}

/** The network fee of a quote, or of one of its addresses, and its token. */
export type PaidFee = Pick<QuoteRow, 'chainId' | 'token' | 'tokenDecimals' | 'networkFee' | 'feeListed'>

/**
 * Returns the wei that the signed network fee covers, at present prices.
 * @throws ServiceError QUOTE_REFRESH_REQUIRED if the token cannot pay fees now: a refresh says why.
 */
async function demandCover(
  parts: Pick<SubmissionParts, 'feePrices'>,
  quote: PaidFee,
  isNativeAtPar: boolean,
): Promise<bigint> {
  const cover = await readCover(parts, quote, isNativeAtPar)
  if (cover === null) throw quoteRefreshRequired('Fees cannot be paid in this token now: refresh the quote')
  return cover
}

/** Returns the wei that a network fee covers, at present prices; null if the token cannot pay fees now. */
export async function readCover(
  parts: Pick<SubmissionParts, 'feePrices'>,
  fee: PaidFee,
  isNativeAtPar: boolean,
): Promise<bigint | null> {
  const exchange = isNativeAtPar ? null : await readExchange(parts, fee)
  return exchange === undefined ? null : weiOfToken(fee.networkFee, { exchange })
}

/** Reads the present prices of the native coin and the token; undefined if the token cannot pay fees as quoted. */
async function readExchange(
  { feePrices }: Pick<SubmissionParts, 'feePrices'>,
  { chainId, token, tokenDecimals, feeListed }: PaidFee,
): Promise<FeeRate['exchange'] | undefined> {
  if (token === zeroAddress) return null
  if (tokenDecimals === null) return undefined
  const { exchange, isListed } = await feePrices.read({ chainId, address: token, decimals: tokenDecimals })
  return exchange && isListed === feeListed ? { ...exchange, tokenDecimals } : undefined
}
