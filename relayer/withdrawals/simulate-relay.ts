import type { Address, Hex } from 'viem'
import type { ProvingPool, SimulateOutcome } from '../../proving/proving-pool.ts'
import { relayErrorAbi } from '../pools/abi.ts'
import type { Chain } from '../chains/chain.ts'
import { orUnavailable } from './node-silence.ts'
import { RefusedError, type RefusalCode } from './refusals.ts'

/** Named errors of the contracts that have a code of their own. */
const CODE_OF_ERROR: Readonly<Record<string, RefusalCode>> = {
  NullifierAlreadySpent: 'NULLIFIER_ALREADY_SPENT',
  UnknownStateRoot: 'UNKNOWN_STATE_ROOT',
  IncorrectASPRoot: 'INCORRECT_ASP_ROOT',
  RelayFeeGreaterThanMax: 'RELAY_FEE_ABOVE_MAX',
}

export interface SimulatedCall {
  from: Address
  to: Address
  data: Hex
  value: bigint
  gas: bigint
}

/** Runs a call as it would be sent; throws RefusedError with the reason when it would revert. */
export async function simulateRelay(
  proving: ProvingPool,
  chain: Chain,
  call: SimulatedCall,
  timeoutMs: number,
): Promise<Extract<SimulateOutcome, { success: true }>> {
  const { rpcUrls, chainId } = chain.config
  const outcome = await orUnavailable(
    chainId,
    proving.simulate({ rpcUrls, call, errorAbi: relayErrorAbi, timeoutMs }),
  )
  if (outcome.success) return outcome
  const { name, text } = outcome.revert
  const code = (name !== null && CODE_OF_ERROR[name]) || 'SIMULATION_FAILED'
  throw new RefusedError(code, code === 'SIMULATION_FAILED' ? (name ?? text).slice(0, 200) : undefined)
}
