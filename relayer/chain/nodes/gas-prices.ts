import type { Chain } from './chain.ts'
import type { SendingPrice } from './sending-price.ts'

/** What gas costs on one chain, as of its newest head. */
export interface GasPrices {
  /** Wei per gas that a transaction sent now may cost in the next block; null before the first head. */
  gasPrice(): bigint | null
  /** The same with what the chain charges in addition to gas; null until both are known. */
  sendingPrice(): SendingPrice | null
}

/**
 * The gas price of a chain: the base fee of the next block at its highest (EIP-1559 lets it rise by 1/8 a block) plus the tip
 * that the node suggests. Asks nothing.
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
