import {
  type Phrasing,
  type Provider,
  hex,
  quantity,
  resultAt,
  toQuantity,
  toRpcBlock,
  toRpcCall,
  toRpcOverrides,
  withoutAccessList,
} from './provider.ts'
import { simulateV1 } from './simulate-v1.ts'
import { traceCall } from './trace-call.ts'

/**
 * `eth_call` and `eth_estimateGas` in one batch, which every node has. It returns no logs. Not every node accepts block
 * overrides, its fourth parameter: without them the call runs in the newest block.
 */
const callAndEstimate: Provider = {
  name: 'rpc-call',
  requests(job, { isPlain }) {
    const overrides = toRpcOverrides(job)
    const block =
      job.block && !isPlain ? { number: toQuantity(job.block.number), ...toRpcBlock(job) } : undefined
    const more = block ? [overrides ?? {}, block] : overrides ? [overrides] : []
    const params = [toRpcCall(job), 'latest', ...more]
    return ['eth_call', 'eth_estimateGas'].map((method) => ({ method, params }))
  },
  read(results, job) {
    // a reverting call is refused, with the reason as the refusal's data
    const returnData = hex.parse(resultAt(results, 0))
    const gasUsed = withoutAccessList(quantity.parse(resultAt(results, 1)), job)
    return { success: true, gasUsed, logs: [], returnData }
  },
}

/** A method of every node: it reports no logs, and its gas is an estimate. */
export const LAST_RESORT: Provider = callAndEstimate
/** In order of preference. */
export const ALL_PROVIDERS: readonly Provider[] = [simulateV1, traceCall, LAST_RESORT]

/** Milliseconds for which a node that gave no answer is asked after the others. */
const AVOID_MS = 10_000

/** The form of the requests to one provider of a node. */
export interface LearntPhrasing extends Phrasing {
  /** True once it has worked: then a refusal concerns the call. */
  isSure: boolean
}

/** The full form, for an unknown node. */
export const createPhrasing = (): LearntPhrasing => ({
  isPlain: false,
  isDated: true,
  isNumbered: false,
  isSure: false,
})

/** Learned abilities of a node, so that one round trip suffices from the second simulation on. */
export interface NodeAbility {
  /** The providers that are not known to be missing. */
  providers: readonly Provider[]
  /** The full form, until the node turns out to understand less. */
  phrasings: Map<Provider, LearntPhrasing>
  /** When it last gave no answer, in milliseconds of the monotonic clock. */
  silentAt: number
}

/** Creates a memory of nodes by their URL, as long as the thread lives. */
export function createNodeMemory(): {
  of(url: string): NodeAbility
  /** The URLs, recently silent ones last. */
  order(urls: readonly string[]): string[]
} {
  const nodes = new Map<string, NodeAbility>()

  function of(url: string): NodeAbility {
    let ability = nodes.get(url)
    if (!ability) {
      const phrasings = new Map(ALL_PROVIDERS.map((provider) => [provider, createPhrasing()]))
      ability = { providers: ALL_PROVIDERS, phrasings, silentAt: -Infinity }
      nodes.set(url, ability)
    }
    return ability
  }

  return {
    of,
    order(urls) {
      const avoided = (url: string) => (performance.now() - of(url).silentAt < AVOID_MS ? 1 : 0)
      return urls.toSorted((left, right) => avoided(left) - avoided(right))
    },
  }
}
