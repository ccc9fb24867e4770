import type { ProvingPool, SimulateOutcome } from '../../../proving/proving-pool.ts'
import type { BroadcastEngine } from '../../chain/broadcast/broadcast-engine.ts'
import { simulateAsSent, type SentCall } from '../../chain/broadcast/simulate-as-sent.ts'
import { relayErrorAbi } from '../../chain/contracts/privacy-pools.ts'
import type { Chain } from '../../chain/nodes/chain.ts'
import { orPoolsRefreshing } from './node-silence.ts'
import { RefusedError, type RefusalCode } from './refusals.ts'

/** Named errors of the contracts that have a code of their own. */
const CODE_OF_ERROR: Readonly<Record<string, RefusalCode>> = {
  NullifierAlreadySpent: 'NULLIFIER_ALREADY_SPENT',
  UnknownStateRoot: 'UNKNOWN_STATE_ROOT',
  IncorrectASPRoot: 'INCORRECT_ASP_ROOT',
  RelayFeeGreaterThanMax: 'RELAY_FEE_ABOVE_MAX',
}

/** The call to simulate, as it would be sent. */
export type SimulatedCall = SentCall

/** Runs a call as it would be sent and mined; throws RefusedError with the reason when it would revert. */
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
  const code = (name !== null && CODE_OF_ERROR[name]) || 'SIMULATION_FAILED'
  throw new RefusedError(code, code === 'SIMULATION_FAILED' ? (name ?? text).slice(0, 200) : undefined)
}
