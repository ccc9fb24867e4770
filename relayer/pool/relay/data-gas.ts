import type { Chain } from '../../chain/nodes/chain.ts'

/** Bytes of a relay's transaction without its signature: 772 of calldata and what surrounds them. */
export const RELAY_BYTES = 880
/** What a multicall with a top-up adds to it. */
const TOP_UP_BYTES = 480

/** What the chain takes for publishing a transaction, in gas at a given price. */
export interface DataGas {
  relay: bigint
  /** What a top-up adds. */
  topUp: bigint
}

/**
 * The data fees of a relay as gas, rounded up, because published clients recompute the relayFee from gas and gas
 * price alone. Null before the chain's first answer; 0 on chains without such a fee.
 */
export function readDataGas(chain: Pick<Chain, 'dataFee'>, gasPrice: bigint): DataGas | null {
  const [plain, together] = [chain.dataFee(RELAY_BYTES), chain.dataFee(RELAY_BYTES + TOP_UP_BYTES)]
  if (plain === null || together === null) return null
  // At no price at all there is no gas that would pay for it.
  const toGas = (wei: bigint) => (gasPrice === 0n ? 0n : (wei + gasPrice - 1n) / gasPrice)
  return { relay: toGas(plain), topUp: toGas(together - plain) }
}
