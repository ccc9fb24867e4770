import { zeroAddress } from 'viem'
import type { ConversionCosts } from '../../../account/deposit-review/conversion-costs.ts'
import type { Chains } from '../../../chain/nodes/chain.ts'
import { networkFeeOf } from '../../fees/network-fee.ts'
import { INTENT_BYTES } from '../../fees/read-fee-rate.ts'
import { readServiceFee, type ServiceFeeParts } from '../../fees/read-service-fee.ts'
import { largestAmountWithin } from '../../fees/service-fee.ts'
import { GROWTH_GAS } from './plan-pool-deposit.ts'

/** Gas of a deposit by an address that does not delegate yet (274,842 and 348,390 measured on the devnet). */
const DEPOSIT_GAS = { native: 275_000n + GROWTH_GAS, token: 350_000n + GROWTH_GAS }
/** What dividing the deposit fee among addresses may round up, as quotes leave room for. */
const ROUNDING = 3n

/** What deposits are estimated by. */
export interface EstimateParts extends ServiceFeeParts {
  chains: Chains
  /** Wei per gas that a transaction sent now may cost; null while that is not known. */
  gasPriceOf(chainId: number): bigint | null
  config: { gasMarginPercent: number; depositFeeBps: number }
}

/**
 * Creates the estimate of what a quote over all of an asset at one address would deposit: less the network fee with its
 * margin and the fee for publishing data, and less the account's deposit fee. It asks no node, and so goes by the gas of a
 * deposit by an address that does not delegate yet, whatever the token's contract takes; a quote measures that, and refuses
 * what the chain or screening refuses.
 */
export function createConversionCosts(parts: EstimateParts): ConversionCosts {
  const { chains, gasPriceOf, config } = parts
  return {
    async read(accountId) {
      const terms = await readServiceFee(parts, accountId, config.depositFeeBps)
      return ({ token, available, tokenUsd, nativeUsd }) => {
        const gasPrice = gasPriceOf(token.chainId)
        const dataFee = chains.get(token.chainId)?.dataFee(INTENT_BYTES) ?? null
        if (gasPrice === null || dataFee === null) return null
        const isNative = token.address === zeroAddress
        if (!isNative && (tokenUsd === null || nativeUsd === null)) return 0n
        const exchange =
          isNative || tokenUsd === null || nativeUsd === null
            ? null
            : { nativeUsd, tokenUsd, tokenDecimals: token.decimals }
        const rate = { gasPrice, dataFee, marginPercent: config.gasMarginPercent, exchange }
        return largestAmountWithin(
          available - networkFeeOf(DEPOSIT_GAS[isNative ? 'native' : 'token'], rate) - ROUNDING,
          terms,
        )
      }
    },
  }
}
