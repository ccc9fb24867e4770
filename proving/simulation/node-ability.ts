import { callAndEstimate } from './call-and-estimate.ts'
import type { Phrasing, Provider } from './provider.ts'
import { simulateV1 } from './simulate-v1.ts'
import { traceCall } from './trace-call.ts'

/** What every node has: it tells no logs, and its gas is an estimate. */
export const LAST_RESORT: Provider = callAndEstimate
/** The best way first. */
export const ALL_PROVIDERS: readonly Provider[] = [simulateV1, traceCall, LAST_RESORT]

/** How long a node that gave no answer is asked after the others. */
const AVOID_MS = 10_000

/** How one provider of a node is asked. */
export interface LearntPhrasing extends Phrasing {
  /** Whether it has worked: then a refusal is about the call. */
  isSure: boolean
}

/** In full, for a node of which nothing is known. */
export const createPhrasing = (): LearntPhrasing => ({
  isPlain: false,
  isDated: true,
  isNumbered: false,
  isSure: false,
})

/** What a node is known to be able to do, so that one round trip suffices from the second simulation on. */
export interface NodeAbility {
  /** The ways that are not known to be missing. */
  providers: readonly Provider[]
  /** In full, until it is learnt that a node understands less. */
  phrasings: Map<Provider, LearntPhrasing>
  /** When it last gave no answer, in milliseconds of the monotonic clock. */
  silentAt: number
}

/** Remembers nodes by their URL, as long as the thread lives. */
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
