import { z } from 'zod'
import type { AssetChange, CallsOutcome, SimulateCallsJob } from '../simulate-job.ts'
import { TaskError } from '../task-result.ts'
import { decodeTransfers } from './assets/decode-transfers.ts'
import { cutChanges } from './assets/cut-changes.ts'
import { findRevertData } from './find-revert-data.ts'
import { askNode, RpcRefusal, TransportError } from '../rpc/json-rpc.ts'
import { AnswerTooLargeError } from '../rpc/post-json.ts'
import { hex, log, quantity, resultAt, toQuantity, toRpcOverrides } from './provider.ts'
import { decodeApprovals } from './assets/check-approvals.ts'

/** The address under which nodes log transfers of the native coin on request, as if it were a token. */
const NATIVE_EMITTER = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
/** Movements and approvals that are reported of all calls together: a call can emit many thousands. */
const MAX_TOLD = 1_024
/** Some 3,500 events. Reading this much takes the signing thread 25 ms; 8 MiB took 80. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024
/** A contract called by another gets at most 63/64 of the gas, so that a call can fail with some gas left. In percent. */
const NEARLY_ALL = 95n
const FAILED = { success: false, changes: [], approvals: [], isWhole: true } as const
/** Milliseconds for which a node that gave no answer is asked after the others. */
const AVOID_MS = 10_000

const simulated = z.object({
  status: quantity,
  gasUsed: quantity,
  returnData: hex,
  logs: z.array(log).nullish(),
  error: z.object({ message: z.string(), data: z.unknown().optional() }).nullish(),
})
const answer = z.tuple([
  z.object({
    number: quantity.optional(),
    gasLimit: quantity.optional(),
    calls: z.array(simulated).min(1),
  }),
])

/** Runs calls one after another on one state and reports the movements of each. */
export interface CallsSimulator {
  /**
   * Asks the nodes in turn, by `eth_simulateV1`. Null where no node that answers has it.
   * @throws TaskError `unavailable` when no node answers within the job's time.
   */
  simulate(job: SimulateCallsJob): Promise<CallsOutcome | null>
}

/** Creates the simulator, which remembers which nodes lack the method and which fell silent. */
export function createCallsSimulator(): CallsSimulator {
  const lacking = new Set<string>()
  const silentAt = new Map<string, number>()

  return {
    async simulate(job) {
      const deadline = performance.now() + job.timeoutMs
      const isAvoided = (url: string) => performance.now() - (silentAt.get(url) ?? -Infinity) < AVOID_MS
      const urls = job.rpcUrls
        .filter((url) => !lacking.has(url))
        .toSorted((one, other) => Number(isAvoided(one)) - Number(isAvoided(other)))
      const failures: string[] = []
      for (const [index, url] of urls.entries()) {
        const share = Math.max(1, Math.floor((deadline - performance.now()) / (urls.length - index)))
        try {
          return await askOne(url, job, AbortSignal.timeout(share))
        } catch (error) {
          if (error instanceof RpcRefusal && error.isMissingMethod) {
            lacking.add(url)
            continue
          }
          if (!(error instanceof TransportError)) throw error
          silentAt.set(url, performance.now())
          failures.push(error.message)
        }
      }
      if (failures.length === 0) return null
      throw new TaskError('unavailable', `no node answered: ${failures.join('; ')}`)
    },
  }
}

async function askOne(url: string, job: SimulateCallsJob, signal: AbortSignal): Promise<CallsOutcome> {
  const calls = job.calls.map(({ to, data, value }) => ({
    from: job.from,
    to,
    data,
    value: toQuantity(value),
  }))
  const stateOverrides = toRpcOverrides(job)
  const blockStateCalls = [{ calls, ...(stateOverrides && { stateOverrides }) }]
  const options = { blockStateCalls, validation: false, traceTransfers: true }
  const request = { method: 'eth_simulateV1', params: [options, 'latest'] }
  const results = await askNode(url, [request], signal, MAX_ANSWER_BYTES).catch((error: unknown) => {
    if (error instanceof TransportError && error.cause instanceof AnswerTooLargeError) return null
    throw error
  })
  // The calls make the answer long: no other node reports less, and this one is no worse.
  if (!results) return { provider: 'rpc-simulate', blockNumber: null, calls: [] }
  try {
    const [{ number, gasLimit, calls: ran }] = answer.parse(resultAt(results, 0))
    const gasUsed = ran.reduce((sum, call) => sum + call.gasUsed, 0n)
    const usedAllGas = gasLimit !== undefined && gasUsed >= (gasLimit * NEARLY_ALL) / 100n
    return {
      provider: 'rpc-simulate',
      blockNumber: number ?? null,
      calls: cutChanges(
        ran.map((call) => describeCall(call, usedAllGas)),
        MAX_TOLD,
      ),
    }
  } catch (error) {
    if (error instanceof z.ZodError)
      throw new TransportError('the node answers in a form of its own', { cause: error })
    if (!(error instanceof RpcRefusal) || error.isMissingMethod) throw error
    if (error.concernsNodeOnly || error.lacksBlock) throw new TransportError(error.message, { cause: error })
    // The node refused to run any call, for lack of funds for instance.
    const revertData = findRevertData(error.data) ?? '0x'
    const { message } = error
    return {
      provider: 'rpc-simulate',
      blockNumber: null,
      calls: [{ ...FAILED, gasUsed: null, revertData, message, usedAllGas: false }],
    }
  }
}

function describeCall(
  { status, gasUsed, returnData, logs, error }: z.output<typeof simulated>,
  usedAllGas: boolean,
): CallsOutcome['calls'][number] {
  if (status !== 1n) {
    const revertData = findRevertData(error?.data) ?? returnData
    const message = error?.message ?? 'execution reverted'
    return { ...FAILED, gasUsed, revertData, message, usedAllGas }
  }
  const told = logs ?? []
  const moved = decodeTransfers(told)
  const allowed = decodeApprovals(told)
  return {
    success: true,
    gasUsed,
    revertData: '0x' as const,
    message: '',
    usedAllGas: false,
    changes: moved.changes.map((change): AssetChange =>
      change.token === NATIVE_EMITTER ? { ...change, type: 'native', token: null } : change,
    ),
    approvals: allowed.approvals,
    isWhole: !moved.undecodable && !allowed.undecodable,
  }
}
