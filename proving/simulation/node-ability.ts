import { callAndEstimate } from './call-and-estimate.ts'
import type { Phrasing, Provider } from './provider.ts'
import { simulateV1 } from './simulate-v1.ts'
import { traceCall } from './trace-call.ts'

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
