import type { Chain } from './chain.ts'
import type { SendingPrice } from './sending-price.ts'

/** Gas prices of one chain, as of its newest head. */
export interface GasPrices {
  /** Wei per gas that a transaction sent now may cost in the next block; null before the first head. */
  gasPrice(): bigint | null
  /** The same with the chain's charges in addition to gas; null until both are known. */
  sendingPrice(): SendingPrice | null
}

/**
 * Computes the gas price of a chain: the next block's highest base fee plus the suggested tip. EIP-1559 lets the base fee
 * rise by 1/8 a block. Makes no request.
 */
export function createGasPrices(chain: Chain): GasPrices {
  function gasPrice(): bigint | null {
    const [head, tip] = [chain.head(), chain.tip()]
    if (!head || tip === null) return null
    return (head.baseFeePerGas * 9n) / 8n + tip
  }
  return {
    gasPrice,
    sendingPrice() {
      const [price, extra] = [gasPrice(), chain.extraFees()]
      return price === null || extra === null ? null : { gasPrice: price, extra }
    },
  }
}
