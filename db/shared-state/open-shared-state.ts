import type { Logger } from 'pino'
import { connectRedisState } from './connect-redis-state.ts'
import { createMemoryState } from './create-memory-state.ts'
import { hideSharedState, type StateSecrets } from './hide-shared-state.ts'
import type { SharedState } from './shared-state.ts'

/**
 * Opens the shared state: in Redis when there is a URL, otherwise in the memory of this process.
 * @param options.secrets Hide names and values from Redis; the same in all instances.
 */
export async function openSharedState(options: {
  redisUrl?: string
  secrets: StateSecrets
  logger: Logger
}): Promise<SharedState> {
  const { redisUrl, secrets, logger } = options
  return redisUrl === undefined
    ? createMemoryState(logger)
    : hideSharedState(await connectRedisState(redisUrl, logger), secrets)
}
