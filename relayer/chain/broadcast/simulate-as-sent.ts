import { LRUCache } from 'lru-cache'
import type { Address, Hex } from 'viem'
import type { ProvingPool } from '../../../proving/proving-pool.ts'
import type { SimulateJob, SimulateOutcome } from '../../../proving/simulate-job.ts'
import { TaskError } from '../../../proving/task-result.ts'
import type { Chain } from '../nodes/chain.ts'
import type { BroadcastEngine } from './broadcast-engine.ts'

/** A transaction as it will be sent. */
export interface SentCall {
  /** One of our signers. */
  from: Address
  to: Address
  data: Hex
  /** Wei. */
  value: bigint
  /** Its gas limit, including the authorizations. */
  gas: bigint
}

/**
 * Simulates a transaction as it will be signed and mined. Its signer is the origin, fees and gas limit are its own, and the
 * block is the next one. The called contract cannot detect the simulation. It adds no round trip to the simulation.
 *
 * The signer's balance is the chain's, so that a contract that reads it sees nothing unusual. The balance is raised only if
 * it might not pay for the whole gas limit beside pending transactions, or if a node says that it cannot: the known balance
 * may be old. Whether a signer can pay is decided when one is chosen.
 * @throws TaskError `unavailable` when no node answers, or before the first gas price.
 */
export async function simulateAsSent(
  { proving, broadcast }: { proving: { simulate: ProvingPool['simulate'] }; broadcast: BroadcastEngine },
  chain: Chain,
  call: SentCall,
  options: Pick<SimulateJob, 'errorAbi' | 'timeoutMs' | 'authorizations' | 'prefer' | 'watch'>,
): Promise<SimulateOutcome> {
  const { chainId } = chain.config
  const rpcUrls = chain.nodes.urls()
  const terms = broadcast.signingTerms(chainId, call.from)
  const block = chain.nextBlock()
  if (!terms || !block)
    throw new TaskError('unavailable', `what gas costs on chain ${chainId} is not known yet`)
  const { fees, balance, reserved } = terms
  const needed = call.gas * fees.maxFeePerGas + call.value
  const simulate = (stateOverrides: NonNullable<SimulateJob['stateOverrides']>) =>
    proving.simulate({ ...options, rpcUrls, call, fees, block, stateOverrides })
  const raised = { [call.from]: { balance: balance > needed ? balance : needed } }
  if (balance - reserved < needed) return simulate(raised)
  const outcome = await simulate({})
  return isUnpaid(outcome) ? simulate({ [call.from]: { balance: needed } }) : outcome
}

/** True if a node refused the call for the funds of its sender; a contract's own words have the name of an error. */
const isUnpaid = (outcome: SimulateOutcome): boolean =>
  !outcome.success &&
  outcome.revert.name === null &&
  /insufficient|exceeds account balance/i.test(outcome.revert.text)

/** Queued transactions are assigned within moments: entries beyond this were never committed. */
const MAX_KNOWN = 10_000

/** The signers from which this instance simulated queued transactions, until they are assigned. */
export interface SimulatedOrigins {
  note(outboundId: string, origin: Address): void
  find(outboundId: string): Address | undefined
  forget(outboundId: string): void
}

/** In memory: after a restart any signer will do, as it does where the simulated one has no room. */
export function createSimulatedOrigins(): SimulatedOrigins {
  const origins = new LRUCache<string, Address>({ max: MAX_KNOWN })
  return {
    note(outboundId, origin) {
      origins.set(outboundId, origin)
    },
    find: (outboundId) => origins.get(outboundId),
    forget: (outboundId) => void origins.delete(outboundId),
  }
}
