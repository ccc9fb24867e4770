import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { ServiceError } from '../../relayer/service-error.ts'
import type { RateLimiter } from '../../schema/context.ts'

const WINDOW_SECONDS = 60

/** Rate limits of one process, by operation and client address. */
export function createMemoryRateLimiter(): RateLimiter {
  const buckets = new Map<string, RateLimiterMemory>()
  return {
    async take({ operation, limit, client }) {
      let bucket = buckets.get(operation)
      if (!bucket) {
        bucket = new RateLimiterMemory({ keyPrefix: operation, points: limit, duration: WINDOW_SECONDS })
        buckets.set(operation, bucket)
      }
      try {
        await bucket.consume(client)
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused
        throw new ServiceError(
          'too-many-requests',
          `Rate limit exceeded. Maximum ${limit} requests per 1 minute.`,
          { retryable: true },
        )
      }
    },
  }
}
