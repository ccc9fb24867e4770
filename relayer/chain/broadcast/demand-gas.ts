import { gasPriceAboveCap, noGasForSending } from '../errors.ts'
import type { Duty } from '../nodes/relayer-config.ts'
import type { BroadcastEngine } from './broadcast-engine.ts'

/**
 * Refuses while accounts' sends on a chain would wait: the base fee is above the cap, or no signer has coins.
 * @throws ServiceError `unavailable` GAS_PRICE_ABOVE_CAP, NO_GAS_FOR_SENDING
 */
export function demandSending(broadcast: BroadcastEngine, chainId: number): void {
  const above = broadcast.feeAboveCap(chainId)
  if (above)
    throw gasPriceAboveCap(
      `Gas costs ${above.baseFee} wei on chain ${chainId} now; the service pays at most ${above.cap}`,
    )
  demandGas(broadcast, chainId, 'sends')
}

/**
 * Refuses while the signers of a chain with a duty together cannot pay for `least` typical transactions. Busy signers, and
 * signers whose balance is unknown, do not count as empty.
 * @throws ServiceError `unavailable` NO_GAS_FOR_SENDING
 */
export function demandGas(
  broadcast: { runway: BroadcastEngine['runway'] },
  chainId: number,
  duty: Duty,
  least = 1,
): void {
  const runway = broadcast.runway(chainId, duty)
  if (runway !== null && runway < least)
    throw noGasForSending(`The service has no coins for gas on chain ${chainId} at the moment`)
}
