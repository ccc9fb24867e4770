import { zeroAddress } from 'viem'
import type { SendingPrice } from '../../chain/nodes/sending-price.ts'
import type { Prices } from '../../market/prices/prices.ts'
import { keyOf } from '../../market/tokens/token-id.ts'
import type { Token } from '../../market/tokens/tokens.ts'
import type { FeeRate } from './network-fee.ts'
import { serverBusy } from '../../errors.ts'
import { feeTokenUnpriced } from '../errors.ts'

/** Where the costs of gas are known. */
export interface FeeRateParts {
  prices: Prices
  /** What sending costs now; null while that is not known. */
  sendingPriceOf(chainId: number): SendingPrice | null
  config: { gasMarginPercent: number }
}

/** What gas costs in a token now, and what both are worth. */
export interface TokenRate extends FeeRate {
  /** Units of 10^-30 dollars per whole token; null without a price. */
  tokenUsd: bigint | null
}

/**
 * Reads what gas costs in a token now.
 *
 * @param isNativeAtPar The token is worth as much as the native coin, unit by unit, whether or not it has a price.
 * @throws ServiceError `bad-request` FEE_TOKEN_UNPRICED for a token without a price, in which no fee can be taken;
 * `unavailable` while the gas price is not known.
 */
export async function readFeeRate(
  { prices, sendingPriceOf, config }: FeeRateParts,
  token: Token,
  isNativeAtPar: boolean,
): Promise<TokenRate> {
  const price = sendingPriceOf(token.chainId)
  if (price === null) throw serverBusy('The gas price is not known yet. Try again later.')
  const native = { chainId: token.chainId, address: zeroAddress }
  const worth = await prices.read([token, native])
  const tokenUsd = worth.get(keyOf(isNativeAtPar ? native : token))?.usd ?? null
  const terms = { price, marginPercent: config.gasMarginPercent, tokenUsd }
  if (isNativeAtPar || token.address === zeroAddress) return { ...terms, exchange: null }
  const nativeUsd = worth.get(keyOf(native))?.usd
  if (nativeUsd === undefined || tokenUsd === null)
    throw feeTokenUnpriced(`${token.symbol} has no price, so that fees cannot be taken in it`, {
      details: { tokenSymbol: token.symbol, tokenAddress: token.address, tokenDecimals: token.decimals },
    })
  return { ...terms, exchange: { nativeUsd, tokenUsd, tokenDecimals: token.decimals } }
}
