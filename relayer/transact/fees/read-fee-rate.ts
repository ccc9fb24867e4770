import { zeroAddress } from 'viem'
import type { SendingPrice } from '../../chain/nodes/sending-price.ts'
import type { Token } from '../../market/tokens/tokens.ts'
import type { FeePrices, FeeWorth } from './fee-prices.ts'
import type { FeeRate } from './network-fee.ts'
import { serverBusy } from '../../errors.ts'
import { feeTokenUnpriced } from '../errors.ts'

/** Sources for the cost of gas. */
export interface FeeRateParts {
  feePrices: FeePrices
  /** Returns the present price of sending; null while it is unknown. */
  sendingPriceOf(chainId: number): SendingPrice | null
  config: { gasMarginPercent: number }
}

/** Cost of gas in a token now, and the prices of both. */
export interface TokenRate extends FeeRate {
  /** Units of 10^-30 dollars per whole token, for display; null without a price. */
  tokenUsd: bigint | null
  /** The same price for the books; null if they do not count the token. */
  bookedUsd: bigint | null
  isListed: boolean
}

/**
 * Reads the cost of gas in a token now.
 *
 * @param isNativeAtPar The token is worth as much as the native coin, unit by unit, whether or not it has a
 * price.
 * @throws ServiceError `bad-request` FEE_TOKEN_UNPRICED for a token that cannot pay fees; `unavailable` while
 * the gas price or the depth of the token's pools is unknown.
 */
export async function readFeeRate(
  { feePrices, sendingPriceOf, config }: FeeRateParts,
  token: Token,
  isNativeAtPar: boolean,
): Promise<TokenRate> {
  const price = sendingPriceOf(token.chainId)
  if (price === null) throw serverBusy('The gas price is not known yet. Try again later.')
  const isNative = isNativeAtPar || token.address === zeroAddress
  const worth = await feePrices.read(
    isNative ? { chainId: token.chainId, address: zeroAddress, decimals: 18 } : token,
  )
  const { shownUsd: tokenUsd, bookedUsd, isListed, exchange } = worth
  const terms = { price, marginPercent: config.gasMarginPercent, tokenUsd, bookedUsd, isListed }
  if (isNative) return { ...terms, exchange: null }
  if (!exchange)
    throw feeTokenUnpriced(whyNot(token.symbol, worth), {
      details: { tokenSymbol: token.symbol, tokenAddress: token.address, tokenDecimals: token.decimals },
    })
  return { ...terms, exchange: { ...exchange, tokenDecimals: token.decimals } }
}

function whyNot(symbol: string, { shownUsd, isListed }: FeeWorth): string {
  if (shownUsd === null) return `${symbol} has no price, so that fees cannot be taken in it`
  return isListed
    ? `The price of ${symbol} is too old for fees to be taken in it`
    : `${symbol} is not listed and its pools are not deep enough, so that fees cannot be taken in it`
}
