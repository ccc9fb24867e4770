import type { RateCounter, SharedState } from '../../db/shared-state/shared-state.ts'
import type { RateLimiter } from '../../schema/define/context.ts'
import { networkOf } from './network-of.ts'

const WINDOW_SECONDS = 60

/** Rate limits by operation and client, shared by all instances of the service. */
export function createRateLimiter(sharedState: Pick<SharedState, 'rateCounter'>): RateLimiter {
  const counters = new Map<string, RateCounter>()
  return {
    async take({ operation, limit, client, points = 1 }) {
      let counter = counters.get(operation)
      if (!counter) {
        counter = sharedState.rateCounter({ name: operation, points: limit, seconds: WINDOW_SECONDS })
        counters.set(operation, counter)
      }
      const key = 'principal' in client ? `principal:${client.principal}` : networkOf(client.address)
      const { taken, resetMs } = await counter.take(key, points)
      return {
        operation,
        limit,
        windowSeconds: WINDOW_SECONDS,
        remaining: Math.max(0, limit - taken),
        resetSeconds: Math.max(1, Math.ceil(resetMs / 1_000)),
        exceeded: taken > limit,
      }
    },
  }
}
