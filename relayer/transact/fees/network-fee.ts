import { costOf, type SendingPrice, type TransactionSize } from '../../chain/nodes/sending-price.ts'
import type { Price } from '../../market/prices/prices.ts'

/** What gas is paid with: the sent token, by what both are worth. */
export interface FeeRate {
  price: SendingPrice
  marginPercent: number
  /** Null where the native coin itself is sent. */
  exchange: { nativeUsd: Price['usd']; tokenUsd: Price['usd']; tokenDecimals: number } | null
}

const WEI_PER_NATIVE = 10n ** 18n

/** The fee of one intent's transaction, in the sent token's smallest unit, with the margin, rounded up. */
export function networkFeeOf(size: TransactionSize, rate: FeeRate): bigint {
  return tokenOfWei(divideUp(costOf(rate.price, size) * BigInt(100 + rate.marginPercent), 100n), rate)
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
