import type { Logger } from 'pino'
import { createMemoryState } from './create-memory-state.ts'
import type { SharedState } from './shared-state.ts'

/**
 * Opens the shared state: in Redis if there is a URL, otherwise in the memory of this process.
 * @param options.secrets Hide names and values from Redis; the same in all instances.
 */
export async function openSharedState(options: {
  redisUrl?: string
  secrets: StateSecrets
  logger: Logger
}): Promise<SharedState> {
  const { redisUrl, secrets, logger } = options
  if (redisUrl === undefined) return createMemoryState(logger)
  // Loaded only where Redis is configured: the client is a fifth of all modules of the service.
  const { connectRedisState } = await import('./connect-redis-state.ts')
  return hideSharedState(await connectRedisState(redisUrl, logger), secrets)
}

/** Hides names and values. All instances that share a store share the key behind it. */
interface StateSecrets {
  /** A keyed hash: equal for equal texts of one domain, meaningless without the key. */
  digest(domain: string, text: string): Buffer
  seal(context: string, text: string): Buffer
  /** @throws Error for text sealed by another key or in another context. */
  open(context: string, sealed: Uint8Array): string
}

/**
 * Wraps a shared state to hide names and values from its store. Keys, topics and counter keys are keyed hashes; values
 * and messages are encrypted. A value that does not decrypt counts as absent.
 */
function hideSharedState(state: SharedState, secrets: StateSecrets): SharedState {
  const nameOf = (domain: string, text: string) => secrets.digest(domain, text).toString('base64url')
  const seal = (context: string, text: string) => secrets.seal(context, text).toString('base64url')
  function open(context: string, sealed: string): string | null {
    try {
      return secrets.open(context, Buffer.from(sealed, 'base64url'))
    } catch {
      return null
    }
  }
  return {
    ...state,
    async get(key) {
      const sealed = await state.get(nameOf('key', key))
      return sealed === null ? null : open(`value of ${key}`, sealed)
    },
    set: (key, value, ttlMs) => state.set(nameOf('key', key), seal(`value of ${key}`, value), ttlMs),
    delete: (key) => state.delete(nameOf('key', key)),
    publish: (topic, message) => state.publish(nameOf('topic', topic), seal(`message of ${topic}`, message)),
    subscribe: (topic, listener) =>
      state.subscribe(nameOf('topic', topic), (sealed) => {
        const message = open(`message of ${topic}`, sealed)
        if (message !== null) listener(message)
      }),
    rateCounter(policy) {
      const counter = state.rateCounter(policy)
      // The policy is part of the hash: a client's counters of several policies cannot be linked.
      return { take: (key, points) => counter.take(nameOf(`rate of ${policy.name}`, key), points) }
    },
  }
}
