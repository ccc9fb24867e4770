import type { ProvingPool } from '../../../proving/proving-pool.ts'
import type { SimulateOutcome } from '../../../proving/simulate-job.ts'
import type { BroadcastEngine } from '../../chain/broadcast/broadcast-engine.ts'
import { simulateAsSent, type SentCall } from '../../chain/broadcast/simulate-as-sent.ts'
import { relayErrorAbi } from '../../chain/contracts/privacy-pools.ts'
import type { Chain } from '../../chain/nodes/chain.ts'
import { orPoolsRefreshing } from './node-silence.ts'
import type { Refusal } from './define-refusal.ts'
import {
  callWouldRevert,
  incorrectAspRoot,
  nullifierAlreadySpent,
  relayFeeAboveMax,
  unknownStateRoot,
} from './refusals.ts'

/** Named errors of the contracts that have a refusal of their own. */
const REFUSAL_OF_ERROR: Readonly<Record<string, Refusal>> = {
  NullifierAlreadySpent: nullifierAlreadySpent,
  UnknownStateRoot: unknownStateRoot,
  IncorrectASPRoot: incorrectAspRoot,
  RelayFeeGreaterThanMax: relayFeeAboveMax,
}

/** The call to simulate, exactly as it would be sent. */
export type SimulatedCall = SentCall

/** Runs a call as it would be sent and mined; throws RefusedError with the reason if it would revert. */
export async function simulateRelay(
  parts: { proving: ProvingPool; broadcast: BroadcastEngine },
  chain: Chain,
  call: SimulatedCall,
  timeoutMs: number,
): Promise<Extract<SimulateOutcome, { success: true }>> {
  const outcome = await orPoolsRefreshing(
    chain.config.chainId,
    simulateAsSent(parts, chain, call, { errorAbi: relayErrorAbi, timeoutMs }),
  )
  if (outcome.success) return outcome
  const { name, text } = outcome.revert
  const refusal = name === null ? undefined : REFUSAL_OF_ERROR[name]
  throw refusal ? refusal() : callWouldRevert((name ?? text).slice(0, 200))
}
