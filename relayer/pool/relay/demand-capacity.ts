import type { BroadcastEngine } from '../../chain/broadcast/broadcast-engine.ts'
import { serverBusy } from '../../errors.ts'
import { gasPriceAboveLimit } from './errors.ts'
import { stalePools } from './find-pool.ts'
import type { RelayerChain } from './relayer-chain.ts'

/**
 * What gas costs now, in wei.
 * @throws ServiceError `bad-request` MAX_GAS_PRICE above what the relayer pays; `unavailable` POOL_STATE_REFRESHING while it
 * is not known.
 */
export function demandGasPrice({ chain, gasPrices }: RelayerChain): bigint {
  const { chainId, relayer } = chain.config
  const { maxGasPrice } = relayer
  const gasPrice = gasPrices.gasPrice()
  if (gasPrice === null) throw stalePools(chainId)
  if (gasPrice > maxGasPrice)
    throw gasPriceAboveLimit(`Gas costs ${gasPrice} wei now; this relayer pays at most ${maxGasPrice}`)
  return gasPrice
}

/**
 * Refuses while no signer of the chain could be sure to pay for a relay.
 * @throws ServiceError `unavailable` SERVER_BUSY
 */
export function demandRunway(
  broadcast: Pick<BroadcastEngine, 'signers'>,
  chainId: number,
  minRunway: number,
): void {
  const fit = broadcast.signers().filter((signer) => signer.chainId === chainId && !signer.paused)
  if (fit.reduce((relays, signer) => relays + signer.runway, 0) < minRunway)
    throw serverBusy(`The relayer has no funds for gas on chain ${chainId} at the moment`)
}
