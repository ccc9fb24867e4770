import { costOf, type SendingPrice, type TransactionSize } from '../../chain/nodes/sending-price.ts'
import type { Price } from '../../market/prices/prices.ts'
import { roundUpCoarsely } from '../intents/round-up-to.ts'

/** What gas is paid with: the sent token, by what both are worth. */
export interface FeeRate {
  price: SendingPrice
  marginPercent: number
  /** Null where the native coin itself is sent. */
  exchange: { nativeUsd: Price['usd']; tokenUsd: Price['usd']; tokenDecimals: number } | null
}

const WEI_PER_NATIVE = 10n ** 18n

/** Binary digits of a fee: eight fees between two powers of two. */
const FEE_DIGITS = 4

/**
 * The fee of one intent's transaction, in the sent token's smallest unit, with the margin, rounded up to a fee that many quotes
 * share: the call that pays it is public, and the gas price of one moment would link the intents of a quote.
 */
export function networkFeeOf(size: TransactionSize, rate: FeeRate): bigint {
  const wei = divideUp(costOf(rate.price, size) * BigInt(100 + rate.marginPercent), 100n)
  return roundUpCoarsely(tokenOfWei(wei, rate), FEE_DIGITS)
}

/** A token's smallest unit in wei, rounded down: so many wei a fee covers. */
export function weiOfToken(amount: bigint, { exchange }: Pick<FeeRate, 'exchange'>): bigint {
  if (!exchange) return amount
  const { nativeUsd, tokenUsd, tokenDecimals } = exchange
  return (amount * tokenUsd * WEI_PER_NATIVE) / (nativeUsd * 10n ** BigInt(tokenDecimals))
}

/** Wei in a token's smallest unit, rounded up. */
function tokenOfWei(wei: bigint, { exchange }: Pick<FeeRate, 'exchange'>): bigint {
  if (!exchange) return wei
  const { nativeUsd, tokenUsd, tokenDecimals } = exchange
  return divideUp(wei * nativeUsd * 10n ** BigInt(tokenDecimals), tokenUsd * WEI_PER_NATIVE)
}

const divideUp = (value: bigint, by: bigint) => (value + by - 1n) / by
