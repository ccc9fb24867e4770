import type { Logger } from 'pino'
import { createMemoryState } from './create-memory-state.ts'
import { hideSharedState, type StateSecrets } from './hide-shared-state.ts'
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
