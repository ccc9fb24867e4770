import { noGasForSending } from '../errors.ts'
import type { BroadcastEngine } from './broadcast-engine.ts'

/**
 * Refuses while the signers of a chain together pay for fewer typical transactions than that. Signers that are only busy do not
 * count as without coins, and neither do those of which nothing is known.
 * @throws ServiceError `unavailable` NO_GAS_FOR_SENDING
 */
export function demandGas(broadcast: Pick<BroadcastEngine, 'runway'>, chainId: number, least = 1): void {
  const runway = broadcast.runway(chainId)
  if (runway !== null && runway < least)
    throw noGasForSending(`The service has no coins for gas on chain ${chainId} at the moment`)
}
