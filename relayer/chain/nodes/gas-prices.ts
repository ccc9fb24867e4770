import type { Chain } from './chain.ts'

/** What gas costs on one chain, cached per head. */
export interface GasPrices {
  /** Wei per gas that a transaction sent now may cost in the next block; null before the first head. */
  gasPrice(): bigint | null
  /** See {@link Chain.dataFee}. */
  dataFee(bytes: number): bigint | null
}

/**
 * Follows the gas price of a chain, from before the chain is started: the base fee of the next block at its highest
 * (EIP-1559 lets it rise by 1/8 a block) plus the tip that the node suggests. One round trip per head.
 */
export function followGasPrices(chain: Chain): GasPrices {
  let tip: bigint | null = null
  chain.onHead(async () => {
    tip = await chain.client.estimateMaxPriorityFeePerGas()
  })

  return {
    dataFee: (bytes) => chain.dataFee(bytes),
    gasPrice() {
      const head = chain.head()
      if (!head || tip === null) return null
      return (head.baseFeePerGas * 9n) / 8n + tip
    },
  }
}
