import type { SimulateJob, SimulateOutcome } from '../simulate-job.ts'
import { TaskError } from '../task-result.ts'
import { decodeRevert } from './decode-revert.ts'
import { findRevertData } from './find-revert-data.ts'
import { checkWatched } from './assets/check-watched.ts'
import { decodeTransfers } from './assets/decode-transfers.ts'
import { askNode, RpcRefusal, TransportError } from '../rpc/json-rpc.ts'
import {
  ALL_PROVIDERS,
  createNodeMemory,
  createPhrasing,
  LAST_RESORT,
  type LearntPhrasing,
  type NodeAbility,
} from './node-ability.ts'
import type { CallResult, Phrasing, Provider } from './provider.ts'

/** A call that the node refused to run at all counts as failed, unless the refusal concerns the node. */
function readRefusal(refusal: RpcRefusal): CallResult {
  const data = findRevertData(refusal.data)
  if (data === null && (refusal.concernsNodeOnly || refusal.lacksBlock))
    throw new TransportError(refusal.message, { cause: refusal })
  return { success: false, gasUsed: null, data: data ?? '0x', message: refusal.message }
}

/** A result, or the reason why the node did not run the call. */
type Answer =
  | {
      result: CallResult
      /** The call was run in the newest block instead of the one after it. */
      standsStill: boolean
    }
  | { refusal: RpcRefusal }

const readAnswer = (answer: Answer) => ('refusal' in answer ? readRefusal(answer.refusal) : answer.result)

type Ask = (phrasing: Phrasing) => Promise<Answer | null>

/** Asks once; null where the node lacks the method or answers in an unknown form. */
async function ask(
  { url, provider, job, signal }: { url: string; provider: Provider; job: SimulateJob; signal: AbortSignal },
  phrasing: Phrasing,
): Promise<Answer | null> {
  const results = await askNode(url, provider.requests(job, phrasing), signal)
  try {
    const result = provider.read(results, job)
    return { result, standsStill: provider.standsStill?.(results, job) ?? false }
  } catch (error) {
    if (!(error instanceof RpcRefusal) || error.isMissingMethod) return null
    return { refusal: error }
  }
}

/** Asks in the form that the node understands, and learns from its answer; null as in `ask`. */
async function askAndLearn(asking: Ask, phrasing: LearntPhrasing): Promise<CallResult | null> {
  let answer = await asking(phrasing)
  if (answer && 'result' in answer && answer.standsStill && !phrasing.isNumbered) {
    phrasing.isNumbered = true
    answer = await asking(phrasing)
  }
  if (!answer) return null
  if ('result' in answer) {
    phrasing.isSure = true
    return answer.result
  }
  const { refusal } = answer
  if (refusal.isOutOfOrder) {
    // The node knows a newer block than we do: let it decide on number and time this once.
    phrasing.isNumbered = false
    return readAnswer((await asking({ ...phrasing, isDated: false })) ?? answer)
  }
  if (refusal.isAboutForm && !phrasing.isSure && !phrasing.isPlain) {
    const plain = await asking({ ...phrasing, isPlain: true })
    if (!plain || ('refusal' in plain && plain.refusal.isAboutForm)) return readRefusal(refusal)
    Object.assign(phrasing, { isPlain: true, isSure: true })
    if (!('result' in plain) || !plain.standsStill) return readAnswer(plain)
    phrasing.isNumbered = true
    return askAndLearn(asking, phrasing)
  }
  if (refusal.isRevert) phrasing.isSure = true
  return readRefusal(refusal)
}

/**
 * Tries the node's providers, the best one first, and learns from the answers. Without `lastResort` it skips `eth_call` and
 * providers that cannot read the watched balances, and returns null when only these remain.
 */
async function simulateOn(
  url: string,
  node: NodeAbility,
  job: SimulateJob,
  { signal, lastResort }: { signal: AbortSignal; lastResort: boolean },
): Promise<{ provider: string; result: CallResult } | null> {
  for (const provider of node.providers) {
    if ((provider === LAST_RESORT || (job.watch && !provider.watches)) && !lastResort) return null
    const phrasing = node.phrasings.get(provider) ?? createPhrasing()
    const result = await askAndLearn((how) => ask({ url, provider, job, signal }, how), phrasing)
    if (result) return { provider: provider.name, result }
    // Watched balances need more than the call, so their failure says nothing of the method.
    if (!job.watch) node.providers = node.providers.filter((candidate) => candidate !== provider)
  }
  node.providers = ALL_PROVIDERS // ask again next time: another node may answer at this address
  throw new TransportError('the node offers no way to simulate a call')
}

function toOutcome(provider: string, result: CallResult, { errorAbi, watch }: SimulateJob): SimulateOutcome {
  if (!result.success) {
    const revert = decodeRevert(result.data, errorAbi, result.message)
    return { success: false, provider, gasUsed: result.gasUsed, revert }
  }
  const { balances, ...ran } = result
  if (balances && watch) {
    const checked = checkWatched(watch, { logs: ran.logs, ...balances })
    return {
      ...ran,
      logs: checked.logs,
      provider,
      assetChanges: checked.changes,
      assetChangesComplete: false,
      watchedChangesComplete: checked.complete,
      watched: checked.watched,
    }
  }
  // a node without balances gives nothing to check the logs against
  const { changes } = decodeTransfers(ran.logs)
  return {
    ...ran,
    provider,
    assetChanges: changes,
    assetChangesComplete: false,
    watchedChangesComplete: false,
    watched: null,
  }
}

/** Simulates calls and remembers what each node can do. */
export interface CallSimulator {
  /**
   * Asks the nodes in turn for the effects of a call, failing over when one gives no answer. Throws a TaskError
   * `unavailable` when none of them answered within the job's time; each may use its equal share of the rest.
   */
  simulate(job: SimulateJob): Promise<SimulateOutcome>
}

/** Simulates by asking nodes, with or without the last resort. */
export interface NodeSimulator extends CallSimulator {
  /** The same without the last resort, `eth_call`: null where no node that answers has anything better. */
  simulateWell(job: SimulateJob): Promise<SimulateOutcome | null>
}

/**
 * Creates a simulator that remembers which nodes fell silent and which methods each of them has. Both of its
 * methods throw a TaskError `unavailable` when no node answers within the job's `timeoutMs`.
 */
export function createCallSimulator(): NodeSimulator {
  const memory = createNodeMemory()

  async function simulateOnNodes(job: SimulateJob, lastResort: boolean): Promise<SimulateOutcome | null> {
    const deadline = performance.now() + job.timeoutMs
    const failures: string[] = []
    let onlyCalls = false
    const urls = memory.order(job.rpcUrls)
    for (const [index, url] of urls.entries()) {
      const share = Math.max(1, Math.floor((deadline - performance.now()) / (urls.length - index)))
      const node = memory.of(url)
      try {
        const asked = await simulateOn(url, node, job, { signal: AbortSignal.timeout(share), lastResort })
        if (asked) return toOutcome(asked.provider, asked.result, job)
        onlyCalls = true
      } catch (error) {
        if (!(error instanceof TransportError)) throw error
        node.silentAt = performance.now()
        failures.push(error.message)
      }
    }
    if (onlyCalls) return null
    throw new TaskError('unavailable', `no node answered: ${failures.join('; ')}`)
  }

  return {
    async simulate(job) {
      const outcome = await simulateOnNodes(job, true)
      if (!outcome) throw new TaskError('internal', 'a simulation without an outcome')
      return outcome
    },
    simulateWell: (job) => simulateOnNodes(job, false),
  }
}
