import type { BroadcastEngine } from '../../chain/broadcast/broadcast-engine.ts'
import { demandGas } from '../../chain/broadcast/demand-gas.ts'
import { hasDuty } from '../../chain/nodes/relayer-config.ts'
import type { SendingPrice } from '../../chain/nodes/sending-price.ts'
import { serverBusy } from '../../errors.ts'
import { gasPriceAboveLimit } from './errors.ts'
import { stalePools } from './find-pool.ts'
import type { RelayerChain } from './relayer-chain.ts'

/**
 * Returns the present price of sending.
 * @throws ServiceError `bad-request` MAX_GAS_PRICE above what the relayer pays; `unavailable` POOL_STATE_REFRESHING
 * while it is unknown.
 */
export function demandPrice({ chain, gasPrices }: RelayerChain): SendingPrice {
  const { chainId, relayer } = chain.config
  const { maxGasPrice } = relayer
  const price = gasPrices.sendingPrice()
  if (price === null) throw stalePools(chainId)
  if (price.gasPrice > maxGasPrice)
    throw gasPriceAboveLimit(`Gas costs ${price.gasPrice} wei now; this relayer pays at most ${maxGasPrice}`)
  return price
}

/**
 * Throws unless the chain's relay signers can surely pay for `minRunway` relays.
 * @throws ServiceError `unavailable` NO_GAS_FOR_SENDING, SERVER_BUSY if other transactions need their coins.
 */
export function demandRunway(broadcast: BroadcastEngine, chainId: number, minRunway: number): void {
  demandGas(broadcast, chainId, 'relays', minRunway)
  const fit = broadcast
    .signers()
    .filter((signer) => signer.chainId === chainId && hasDuty(signer, 'relays') && !signer.paused)
  if (fit.reduce((relays, signer) => relays + signer.runway, 0) < minRunway)
    throw serverBusy(`All signers of chain ${chainId} are busy; try again in a moment`)
}
