import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import type { ProvingPool } from '../../../proving/proving-pool.ts'
import { TaskError } from '../../../proving/task-result.ts'
import type { CallsOutcome, SimulateOutcome } from '../../../proving/simulate-job.ts'
import { chainNotSupported } from '../../chain/errors.ts'
import type { Chain, Chains } from '../../chain/nodes/chain.ts'
import { serializeByKey } from '../../concurrency/coalesce-runs.ts'
import type { PublicTokens } from '../../market/tokens/tokens.ts'
import { orUnavailable } from '../../transact/quotes/or-unavailable.ts'
import type { FunctionSignatures } from '../function-signatures/function-signatures.ts'
import { describeChanges, type CallChanges } from './describe-changes.ts'
import { explainFailure } from './explain-failure.ts'
import { findWarnings } from './find-warnings.ts'
import { frameCalls, type FramedCalls, type SenderOf } from './frame-calls.ts'
import { createEvmBudget, type LeftOut } from './limit-evm.ts'
import type { Simulation, SimulationRequest, Simulations } from './simulation.ts'

const TIMEOUT_MS = 5_000
const MAX_CHANGES = 500
/** Gas limit of a call in the service's EVM: this percentage of the gas that it used on the node, plus `SPARE_GAS`. */
const GAS_PERCENT = 125n
const SPARE_GAS = 50_000n
/** Gas limit in the service's EVM on a chain whose nodes report no gas. */
const BLIND_GAS = 1_000_000n

/** Dependencies of simulations. */
export interface SimulationsParts {
  database: DatabasePool
  chains: Chains
  proving: ProvingPool
  tokens: PublicTokens
  signatures: FunctionSignatures
  senderOf: SenderOf
  logger: Logger
}

/** The raw result of the calls. */
interface Ran extends Pick<Simulation, 'provider' | 'gasUsed' | 'blockNumber'> {
  failure: { revertData: `0x${string}`; message: string; reason?: string } | null
  error: string | null
  ofCalls: readonly CallChanges[]
  isComplete: boolean
  readsEnvironment: boolean
  /** True if the service's EVM would have checked it, but had no capacity for the account. */
  isLeftOut: boolean
}

class AuditedSimulations implements Simulations {
  readonly #parts: SimulationsParts
  readonly #budget = createEvmBudget()
  readonly #inTurn = serializeByKey()

  constructor(parts: SimulationsParts) {
    this.#parts = parts
  }

  async simulate(accountId: string, request: SimulationRequest): Promise<Simulation> {
    const { database, chains, senderOf } = this.#parts
    const chain = chains.get(request.chainId)
    if (!chain) throw chainNotSupported(`Chain ${request.chainId} is not served`)
    const framed = await frameCalls(database, senderOf, chain, accountId, request)
    const ran = await this.#inTurn(accountId, () => this.#run(chain, request, framed))
    return this.#describe(accountId, chain, request, { ...ran, isOwn: framed.isOwn })
  }

  async #run(chain: Chain, request: SimulationRequest, framed: FramedCalls): Promise<Ran> {
    const { from, calls, stateOverrides = {} } = framed
    const rpcUrls = chain.nodes.urls()
    const told = await orUnavailable(
      this.#parts.proving.simulateCalls({ rpcUrls, from, calls, stateOverrides, timeoutMs: TIMEOUT_MS }),
    )
    if (!told) return describeAlone(await this.#runInEvm(chain, framed, BLIND_GAS), calls.length)
    const onNode = describeTold(told, calls.length)
    if (onNode.failure && framed.isIntent)
      return { ...onNode, failure: await blameFunds(chain, request, onNode.failure) }
    if (onNode.failure || onNode.error || onNode.gasUsed === null) return onNode
    const ours = await this.#runInEvm(chain, framed, onNode.gasUsed)
    if (typeof ours === 'string') return { ...onNode, isLeftOut: ours === 'no-share' }
    // The node decides: it is the chain's own software, and the service's EVM lacks extensions of layers 2.
    if (!ours.success) return { ...onNode, readsEnvironment: true }
    const { audit, assetChanges, assetChangesComplete } = ours
    return {
      ...onNode,
      provider: ours.provider,
      ofCalls: [{ changes: assetChanges, approvals: audit?.approvals ?? [] }],
      isComplete: assetChangesComplete && (audit?.approvalsHold ?? false),
      readsEnvironment: audit?.readsEnvironment ?? false,
    }
  }

  /** Runs a call in the service's EVM, or returns why it did not; `too-much` if it gave up. */
  async #runInEvm(
    chain: Chain,
    { from, calls, seen, stateOverrides = {} }: FramedCalls,
    nodeGas: bigint,
  ): Promise<SimulateOutcome | LeftOut> {
    const { proving, logger } = this.#parts
    const [call] = calls
    if (!call || calls.length > 1) return 'too-much'
    const runOnce = () =>
      proving
        .simulate({
          rpcUrls: chain.nodes.urls(),
          call: { from, ...call, gas: (nodeGas * GAS_PERCENT) / 100n + SPARE_GAS },
          seen,
          stateOverrides,
          errorAbi: [],
          timeoutMs: TIMEOUT_MS,
          prefer: 'evm',
          audit: true,
        })
        // A failure leaves the node's answer unchecked.
        .catch((error: unknown) => {
          if (error instanceof TaskError && error.code === 'internal')
            logger.error({ err: error }, 'a simulation could not be checked')
          return null
        })
    const outcome = await this.#budget.run(nodeGas, runOnce, (ran) => ran?.cpuMs ?? 0)
    if (outcome === null) return 'no-share'
    if (typeof outcome === 'string') return outcome
    return outcome.provider === 'evm' && (outcome.success || !outcome.limit) ? outcome : 'too-much'
  }

  async #describe(
    accountId: string,
    chain: Chain,
    request: SimulationRequest,
    ran: Ran & Pick<FramedCalls, 'isOwn'>,
  ): Promise<Simulation> {
    const { database, tokens, signatures } = this.#parts
    const { provider, gasUsed, blockNumber, failure, error } = ran
    const failureReason = failure && (failure.reason ?? (await explainFailure(signatures, failure)))
    const described = await describeChanges(tokens, chain, ran.ofCalls, MAX_CHANGES + 1)
    const changes = described.changes.slice(0, MAX_CHANGES)
    return {
      success: failure === null && error === null,
      provider,
      gasUsed,
      blockNumber,
      failureReason,
      error,
      assetChanges: changes,
      assetChangesComplete: ran.isComplete && changes.length === described.changes.length,
      warnings: await findWarnings(database, chain, accountId, request, {
        changes,
        spam: described.spam,
        isOwn: ran.isOwn,
        readsEnvironment: ran.readsEnvironment,
        isLeftOut: ran.isLeftOut,
      }),
    }
  }
}

/**
 * Creates the simulations. A node runs the calls first, in milliseconds even for loops. If one call succeeds with
 * little gas, the service's EVM runs it again and compares balances and allowances. That runs within the account's
 * share of the CPU, so that accounts do not block each other.
 */
export const createSimulations = (parts: SimulationsParts): Simulations => new AuditedSimulations(parts)

const NOTHING = {
  provider: 'rpc-simulate',
  gasUsed: null,
  blockNumber: null,
  failure: null,
  error: null,
  ofCalls: [],
  isComplete: false,
  readsEnvironment: false,
  isLeftOut: false,
} as const satisfies Ran

/** Describes a node's results; the first failed call fails the others too. */
function describeTold({ provider, blockNumber, calls }: CallsOutcome, asked: number): Ran {
  const gas = calls.map(({ gasUsed }) => gasUsed)
  const gasUsed = gas.every((one) => one !== null) ? gas.reduce((sum, one) => sum + one, 0n) : null
  const failed = calls.find(({ success }) => !success)
  if (failed?.usedAllGas)
    return { ...NOTHING, provider, error: 'SIMULATION_LIMIT: the calls use more gas than one block has' }
  if (failed) return { ...NOTHING, provider, blockNumber, gasUsed, failure: failed }
  if (calls.length !== asked)
    return { ...NOTHING, provider, error: 'NODE_REFUSED: the node did not run all of the calls' }
  return { ...NOTHING, provider, blockNumber, gasUsed, ofCalls: calls }
}

/** Explains an empty revert by a balance below the sent value, which contracts do not report. */
async function blameFunds(
  chain: Chain,
  { from, calls }: SimulationRequest,
  failure: NonNullable<Ran['failure']>,
): Promise<NonNullable<Ran['failure']>> {
  const wanted = calls.reduce((sum, { value }) => sum + value, 0n)
  if (failure.revertData !== '0x' || wanted === 0n) return failure
  const balance = await orUnavailable(chain.client.getBalance({ address: from, blockTag: 'latest' }))
  return balance < wanted ? { ...failure, message: 'insufficient funds' } : failure
}

/** Describes the EVM's result alone, for chains whose nodes cannot report the changes of calls. */
function describeAlone(ours: SimulateOutcome | LeftOut, asked: number): Ran {
  if (typeof ours === 'string') {
    const error =
      asked > 1
        ? 'NODE_REFUSED: no node of this chain runs several calls in one simulation'
        : ours === 'no-share'
          ? 'SIMULATION_LIMIT: much is simulated now; try again in a minute'
          : 'SIMULATION_LIMIT: the call needs more than is simulated without a node'
    return { ...NOTHING, provider: 'rpc-call', error, isLeftOut: ours === 'no-share' }
  }
  const { provider, gasUsed } = ours
  if (!ours.success) {
    const { name, text } = ours.revert
    return {
      ...NOTHING,
      provider,
      gasUsed,
      failure: {
        revertData: /^0x[0-9a-f]+$/i.test(text) ? (text as `0x${string}`) : '0x',
        message: text,
        ...(name !== null && { reason: text }),
      },
    }
  }
  return {
    ...NOTHING,
    provider,
    gasUsed,
    ofCalls: [{ changes: ours.assetChanges, approvals: ours.audit?.approvals ?? [] }],
    isComplete: ours.assetChangesComplete && (ours.audit?.approvalsHold ?? false),
    readsEnvironment: ours.audit?.readsEnvironment ?? false,
  }
}
