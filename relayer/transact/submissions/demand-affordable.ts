import { zeroAddress } from 'viem'
import type { SubmittableQuote } from '../../../db/transact/intents-submit.ts'
import { keyOf } from '../../market/tokens/token-id.ts'
import { networkFeeOf, type FeeRate } from '../fees/network-fee.ts'
import type { SubmissionParts } from './submission-parts.ts'
import { quoteRefreshRequired } from '../errors.ts'
import { serverBusy } from '../../errors.ts'

/**
 * Checks that the signed fee covers what sending costs now in the token of the fee, because an old quote must not be
 * a free option on gas. Where one of both prices is unknown now, the gas counts by its price at quote time.
 *
 * @param transaction Its gas, its bytes without the signature, and whether the token of the fee is worth as many native
 * coins, whatever price it has.
 * @throws ServiceError QUOTE_REFRESH_REQUIRED; `unavailable` while the gas price is not known.
 */
export async function demandAffordable(
  parts: Pick<SubmissionParts, 'gasPriceOf' | 'chains' | 'gasMarginPercent' | 'prices'>,
  quote: SubmittableQuote,
  { gasUsed, bytes, isNativeAtPar }: { gasUsed: bigint; bytes: number; isNativeAtPar: boolean },
): Promise<void> {
  const gasPrice = parts.gasPriceOf(quote.chainId)
  const dataFee = parts.chains.get(quote.chainId)?.dataFee(bytes) ?? null
  if (gasPrice === null || dataFee === null)
    throw serverBusy('The chain cannot be asked now; try again in a moment')
  const exchange = isNativeAtPar ? null : await readExchange(parts, quote)
  const isCovered =
    exchange === undefined
      ? gasUsed * gasPrice + dataFee <= (quote.gasCost * BigInt(100 + parts.gasMarginPercent)) / 100n
      : networkFeeOf(gasUsed, { gasPrice, dataFee, marginPercent: 0, exchange }) <= quote.networkFee
  if (!isCovered) throw quoteRefreshRequired('Sending costs more than was quoted by now: refresh the quote')
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
