import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { createMemoryCounter } from './create-memory-counter.ts'
import type { RateCounter, RatePolicy } from './shared-state.ts'

/**
 * Counts by key in Redis, and in memory while Redis does not answer.
 * @param client A client of the package redis.
 */
export function createRedisCounter(
  client: object,
  prefix: string,
  { name, points, seconds }: RatePolicy,
  withinPatience: <Answer>(answer: Promise<Answer>) => Promise<Answer>,
): RateCounter {
  const limiter = new RateLimiterRedis({
    storeClient: client,
    useRedisPackage: true,
    rejectIfRedisNotReady: true,
    keyPrefix: prefix + name,
    points,
    duration: seconds,
  })
  // The library's own insurance neither bounds its memory nor replaces a server that hangs.
  const insurance = createMemoryCounter(seconds)

  return {
    async take(key, points = 1) {
      try {
        const { consumedPoints, msBeforeNext } = await withinPatience(
          limiter.consume(key, points).catch((refused: unknown) => {
            if (refused instanceof RateLimiterRes) return refused
            throw refused
          }),
        )
        return { taken: consumedPoints, resetMs: msBeforeNext }
      } catch {
        return insurance.take(key, points)
      }
    },
  }
}
