import { costOf, type SendingPrice, type TransactionSize } from '../../chain/nodes/sending-price.ts'
import type { Price } from '../../market/prices/prices.ts'
import { roundUpCoarsely } from '../intents/batch-gas.ts'
import { zeroAddress } from 'viem'
import type { Token } from '../../market/tokens/tokens.ts'
import type { FeePrices, FeeWorth } from './fee-prices.ts'
import { serverBusy } from '../../errors.ts'
import { feeTokenUnpriced } from '../errors.ts'

/** Rate from the cost of gas to the sent token, by the prices of both. */
export interface FeeRate {
  price: SendingPrice
  marginPercent: number
  /** Null if the native coin itself is sent. */
  exchange: { nativeUsd: Price['usd']; tokenUsd: Price['usd']; tokenDecimals: number } | null
}

const WEI_PER_NATIVE = 10n ** 18n

/** Binary digits of a fee: eight fees between two powers of two. */
const FEE_DIGITS = 4

/**
 * Returns the fee of one intent's transaction, with the margin, in the sent token's smallest unit. It is rounded up to
 * a fee that many quotes share. The call that pays it is public, and an exact fee would link the intents of a quote.
 */
export function networkFeeOf(size: TransactionSize, rate: FeeRate): bigint {
  const wei = divideUp(costOf(rate.price, size) * BigInt(100 + rate.marginPercent), 100n)
  return roundUpCoarsely(tokenOfWei(wei, rate), FEE_DIGITS)
}

/** Converts a token's smallest unit to wei, rounded down: the wei that a fee covers. */
export function weiOfToken(amount: bigint, { exchange }: Pick<FeeRate, 'exchange'>): bigint {
  if (!exchange) return amount
  const { nativeUsd, tokenUsd, tokenDecimals } = exchange
  return (amount * tokenUsd * WEI_PER_NATIVE) / (nativeUsd * 10n ** BigInt(tokenDecimals))
}

/** Converts wei to a token's smallest unit, rounded up. */
function tokenOfWei(wei: bigint, { exchange }: Pick<FeeRate, 'exchange'>): bigint {
  if (!exchange) return wei
  const { nativeUsd, tokenUsd, tokenDecimals } = exchange
  return divideUp(wei * nativeUsd * 10n ** BigInt(tokenDecimals), tokenUsd * WEI_PER_NATIVE)
}

const divideUp = (value: bigint, by: bigint) => (value + by - 1n) / by

/** Sources for the cost of gas. */
interface FeeRateParts {
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
  if (shownUsd === null) return `${symbol} has no price, so fees cannot be paid in it`
  return isListed
    ? `The price of ${symbol} is too old for fees to be paid in it`
    : `${symbol} is not listed and its pools are not deep enough, so fees cannot be paid in it`
}
