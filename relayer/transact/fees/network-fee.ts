import type { Price } from '../../market/prices/prices.ts'

/** What gas is paid with: the sent token, by what both are worth. */
export interface FeeRate {
  /** Wei per gas now. */
  gasPrice: bigint
  /** Wei that publishing one intent costs now in addition to its gas, on rollups. */
  dataFee: bigint
  marginPercent: number
  /** Null where the native coin itself is sent. */
  exchange: { nativeUsd: Price['usd']; tokenUsd: Price['usd']; tokenDecimals: number } | null
}

const WEI_PER_NATIVE = 10n ** 18n

/** The fee of one intent that takes so much gas, in the sent token's smallest unit, with the margin, rounded up. */
export function networkFeeOf(gas: bigint, rate: FeeRate): bigint {
  return tokenOfWei(
    divideUp((gas * rate.gasPrice + rate.dataFee) * BigInt(100 + rate.marginPercent), 100n),
    rate,
  )
}

/** Wei in the sent token's smallest unit, rounded up. */
function tokenOfWei(wei: bigint, { exchange }: FeeRate): bigint {
  if (!exchange) return wei
  const { nativeUsd, tokenUsd, tokenDecimals } = exchange
  return divideUp(wei * nativeUsd * 10n ** BigInt(tokenDecimals), tokenUsd * WEI_PER_NATIVE)
}

const divideUp = (value: bigint, by: bigint) => (value + by - 1n) / by
