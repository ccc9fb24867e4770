import { zeroAddress, type Address } from 'viem'
import type { ConversionCosts } from '../../../account/deposit-review/review-facts.ts'
import type { SendingPrice } from '../../../chain/nodes/sending-price.ts'
import { networkFeeOf } from '../../fees/network-fee.ts'
import { readServiceFee, largestAmountWithin } from '../../fees/service-fee.ts'
import { intentBytes } from '../../intents/simulate-intent.ts'
import { encodeDeposit } from './deposit-calls.ts'
import { GROWTH_GAS } from './plan-pool-deposit.ts'
import { buildIntent, encodeTransfer } from '../../intents/intent.ts'

/** Placeholder address: calldata of all addresses has the same size. */
const ANY: Address = '0x0000000000000000000000000000000000000011'

/** Size of a deposit by an address that does not delegate yet: 274,842 and 348,390 gas were measured on the devnet. */
const DEPOSIT = {
  native: { gas: 275_000n + GROWTH_GAS, bytes: depositBytes(zeroAddress) },
  token: { gas: 350_000n + GROWTH_GAS, bytes: depositBytes(ANY) },
}
/** Returns the bytes of the transaction of one deposit and its fee. */
function depositBytes(token: Address): number {
  const deposit = encodeDeposit({ entrypoint: ANY, token, gross: 1n, precommitment: 1n, allowance: 0n })
  const intent = buildIntent({
    eoa: ANY,
    calls: [...deposit, encodeTransfer(token, ANY, 1n)],
    intentNonce: 0n,
    combinedGas: 0n,
    expiry: 0n,
    accountImplementation: ANY,
  })
  return intentBytes(intent, true)
}

/** Units that splitting the deposit fee among addresses may add by rounding; quotes leave the same room. */
const ROUNDING = 3n

/** Inputs of the estimate. */
interface EstimateSources {
  feeWaivers: Parameters<typeof readServiceFee>[0]
  /** Returns the present price of sending; null while it is unknown. */
  sendingPriceOf(chainId: number): SendingPrice | null
  config: { gasMarginPercent: number; depositFeeBps: number }
}

/**
 * Creates the estimate of the deposit by a quote over all of an asset at one address. It subtracts the network fee with
 * its margin, the fee for publishing data, and the account's deposit fee. It sends no query to a node. It assumes the
 * gas of a deposit by an address that does not delegate yet, whatever the token's contract takes. A quote instead
 * measures the gas, charges the hour's highest fee, and refuses what the chain or screening refuses.
 */
export function createConversionCosts(sources: EstimateSources): ConversionCosts {
  const { feeWaivers, sendingPriceOf, config } = sources
  return {
    async read(accountId) {
      const terms = await readServiceFee(feeWaivers, accountId, config.depositFeeBps)
      return ({ token, available, tokenUsd, nativeUsd }) => {
        const price = sendingPriceOf(token.chainId)
        if (price === null) return null
        const isNative = token.address === zeroAddress
        if (!isNative && (tokenUsd === null || nativeUsd === null)) return 0n
        const exchange =
          isNative || tokenUsd === null || nativeUsd === null
            ? null
            : { nativeUsd, tokenUsd, tokenDecimals: token.decimals }
        const rate = { price, marginPercent: config.gasMarginPercent, exchange }
        return largestAmountWithin(
          available - networkFeeOf(DEPOSIT[isNative ? 'native' : 'token'], rate) - ROUNDING,
          terms,
        )
      }
    },
  }
}
