import { noGasForSending } from '../errors.ts'
import type { Duty } from '../nodes/relayer-config.ts'
import type { BroadcastEngine } from './broadcast-engine.ts'

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
