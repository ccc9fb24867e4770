import type { Logger } from 'pino'
import { connectRedisState } from './connect-redis-state.ts'
import { createMemoryState } from './create-memory-state.ts'
import type { SharedState } from './shared-state.ts'

/** Opens the shared state: in Redis when there is a URL, otherwise in the memory of this process. */
export async function openSharedState(options: { redisUrl?: string; logger: Logger }): Promise<SharedState> {
  return options.redisUrl === undefined
    ? createMemoryState(options.logger)
    : connectRedisState(options.redisUrl, options.logger)
}
