import type { Cover } from '../../../db/chain/broadcast/outbound-rows.ts'
import { bytesOf } from '../../chain/broadcast/sign-attempt.ts'
import type { BroadcastEngine } from '../../chain/broadcast/broadcast-engine.ts'
import type { CheckedRequest } from './check-request.ts'
import { orPoolsRefreshing } from './node-silence.ts'
import type { PreparedRelay } from './prepare-relay.ts'
import { feeTooLow } from './refusals.ts'

/**
 * Returns the wei that the fee of a relay covers: all of it, and the basis point that published clients round off.
 * For a large amount, that point may be the whole price of the gas.
 * @throws RefusedError FEE_TOO_LOW if relaying now costs more, beyond the tolerance.
 */
export async function demandCovered(
  broadcast: Pick<BroadcastEngine, 'isCovered'>,
  { pool, relayerChain, relayData, withdrawn }: CheckedRequest,
  { call, gasUsed }: PreparedRelay,
): Promise<Cover> {
  const price = await orPoolsRefreshing(pool.chainId, relayerChain.priceOf(pool.asset))
  const covered = price.toWei((withdrawn * (relayData.relayFeeBps + 1n)) / 10_000n)
  const cover = { covered, likelyGas: gasUsed }
  if (!broadcast.isCovered(pool.chainId, { ...cover, value: call.value, bytes: bytesOf(call) }))
    throw feeTooLow('gas costs more by now than the fee covers: ask for a new quote')
  return cover
}
