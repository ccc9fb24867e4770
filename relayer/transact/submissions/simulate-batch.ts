import { decodeFunctionResult, type Address, type Hex } from 'viem'
import type { RevertReason, SimulateJob, SimulateOutcome } from '../../../proving/simulate-job.ts'
import { simulateAsSent } from '../../chain/broadcast/simulate-as-sent.ts'
import type { Chain } from '../../chain/nodes/chain.ts'
import { hasDuty } from '../../chain/nodes/relayer-config.ts'
import { intentErrorAbi, orchestratorAbi } from '../intents/intent-abi.ts'
import { authorizationsOf, type ChosenDelegation } from '../intents/delegation.ts'
import { findOutcome, nameIntentError, readOutcomes } from '../intents/intent-outcome.ts'
import type { SimulatedRun } from '../intents/simulated-run.ts'
import { MAX_TRANSACTION_GAS } from '../intents/batch-gas.ts'
import { AUTHORIZATION_GAS } from '../intents/simulate-intent.ts'
import type { SubmissionParts } from './submission-parts.ts'
import { chainNotSupported } from '../../chain/errors.ts'
import { bytesOf } from '../../chain/broadcast/sign-attempt.ts'
import { encodeBatch } from '../intents/intent.ts'
import { LRUCache } from 'lru-cache'

/** Result of simulating a batch. */
export type BatchSimulation =
  | {
      success: true
      /** Gas of the transaction, authorizations included, after refunds. */
      gasUsed: bigint
      /** Signer that the simulation sent from. */
      origin: Address
      /** Failure of each intent, in their order; null for those that succeed. */
      failures: readonly (string | null)[]
      run: SimulatedRun
    }
  /** The transaction as a whole would revert. */
  | { success: false; revert: RevertReason }

/**
 * Runs signed intents as the one transaction that they will be.
 * @param gas Its gas limit; by default the highest possible. The Orchestrator passes each intent its combinedGas, so a
 * recipient sees the same gas in any case.
 * @param asked Simulator and watched balances, see {@link SimulateJob}; by default a node, and none.
 * @throws TaskError `unavailable` when no node answers.
 */
export async function simulateBatch(
  { proving, broadcast, config }: SubmissionParts,
  chain: Chain,
  intents: readonly Executable[],
  gas = MAX_TRANSACTION_GAS,
  asked: Pick<SimulateJob, 'prefer' | 'watch'> = {},
): Promise<BatchSimulation> {
  const { orchestrator } = demandIntents(chain)
  const { chainId } = chain.config
  const authorizations = intents.flatMap(({ eoa, delegation }) => authorizationsOf(chainId, eoa, delegation))
  const origin = findOrigin(broadcast, chainId)
  const call = {
    from: origin,
    to: orchestrator,
    data: encodeBatch(intents.map(({ encoded }) => encoded)),
    value: 0n,
    gas,
  }
  const outcome = await simulateAsSent({ proving, broadcast }, chain, call, {
    errorAbi: intentErrorAbi,
    timeoutMs: config.simulateTimeoutMs,
    authorizations,
    ...asked,
  })
  if (!outcome.success) return { success: false, revert: outcome.revert }
  const isComplete = outcome.provider === 'evm'
  return {
    success: true,
    origin,
    gasUsed: outcome.gasUsed + (isComplete ? 0n : AUTHORIZATION_GAS * BigInt(authorizations.length)),
    failures: readFailures(outcome, intents, orchestrator),
    run: outcome,
  }
}

/** Returns the likely sender: a signer that can send now, else the chain's first, which may be able to by then. */
function findOrigin(broadcast: SubmissionParts['broadcast'], chainId: number): Address {
  const fit = broadcast.simulationSender(chainId, 'sends')
  if (fit) return fit
  const first = broadcast.signers().find((signer) => signer.chainId === chainId && hasDuty(signer, 'sends'))
  if (!first) throw chainNotSupported(`Sending is not offered on chain ${chainId}`)
  return first.address
}

/** Returns the contracts by which accounts send on a chain. @throws ServiceError `bad-request` if it has none. */
export function demandIntents({ config }: Chain) {
  if (!config.sending) throw chainNotSupported(`Sending is not offered on chain ${config.chainId}`)
  return config.sending
}

type Success = Extract<SimulateOutcome, { success: true }>

function readFailures(outcome: Success, intents: readonly Executable[], orchestrator: Address) {
  // The fallback of nodes reports no logs: the returned data must do.
  if (outcome.provider === 'rpc-call') return readReturned(outcome.returnData, intents.length)
  const outcomes = readOutcomes(outcome.logs as Parameters<typeof readOutcomes>[0], orchestrator)
  return intents.map((intent) => {
    const { state, error } = findOutcome(outcomes, intent)
    return state === 'succeeded' ? null : (error ?? 'it would not be executed')
  })
}

function readReturned(data: Hex, count: number): (string | null)[] {
  if (count > 1) {
    const errors = decodeFunctionResult({
      abi: orchestratorAbi,
      functionName: 'execute',
      args: [[]],
      data,
    })
    return errors.map(nameIntentError)
  }
  const error = decodeFunctionResult({ abi: orchestratorAbi, functionName: 'execute', args: ['0x'], data })
  return [nameIntentError(error)]
}

/** A signed intent in the form that is executed. */
export interface Executable {
  eoa: Address
  intentNonce: bigint
  /** abi.encode(Intent). */
  encoded: Hex
  delegation: ChosenDelegation | null
}

/** Returns the bytes of the transaction that executes them, without the sender's signature. */
export const batchBytes = (intents: readonly Executable[]): number =>
  bytesOf({
    data: encodeBatch(intents.map(({ encoded }) => encoded)),
    authorizations: intents.flatMap(({ delegation }) => delegation ?? []),
  })

/** At most the time of a node's answer: a change within it could also follow a new simulation. */
const FRESH_MS = 100
/** Most notes; the oldest are evicted first, because many quotes at once are simulated together. */
const MAX_KNOWN = 100

/** Simulations, in this instance, of the exact transaction that is about to be sent. */
export class RecentSimulations {
  readonly #known = new LRUCache<string, { transaction: string; origin: Address; until: number }>({
    max: MAX_KNOWN,
  })
  readonly #now: () => number

  /** @param now Milliseconds of a monotonic clock. */
  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** Notes that the intents of a quote, together and with no others, would all succeed if sent by `origin`. */
  note(quoteId: string, intents: readonly Executable[], origin: Address): void {
    this.#known.set(quoteId, { transaction: describe(intents), origin, until: this.#now() + FRESH_MS })
  }

  /**
   * Returns the sender with which exactly these intents just succeeded, else null. It answers once, so that another
   * attempt simulates.
   */
  take(quoteId: string, intents: readonly Executable[]): Address | null {
    const seen = this.#known.get(quoteId)
    this.#known.delete(quoteId)
    if (seen === undefined || seen.until <= this.#now() || seen.transaction !== describe(intents)) return null
    return seen.origin
  }
}

/**
 * Describes everything that distinguishes such transactions; delegations already in effect are not part of the intents.
 */
const describe = (intents: readonly Executable[]) =>
  JSON.stringify(
    intents.map(({ encoded, delegation }) => [
      encoded,
      delegation && [delegation.contractAddress, delegation.authorizationNonce],
    ]),
  )
