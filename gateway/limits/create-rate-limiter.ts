import type { RateCounter, RateCounters } from '../../db/shared-state/shared-state.ts'
import type { RateLimiter, Quota } from '../../schema/define/context.ts'
import { isIPv6 } from 'node:net'

const WINDOW_SECONDS = 60

/** Rate limits by operation and client, shared by all instances of the service. */
export function createRateLimiter(sharedState: RateCounters): RateLimiter {
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

/**
 * Formats the remaining limits as structured fields (draft-ietf-httpapi-ratelimit-headers-10): one item per limited
 * operation, because a GraphQL request may run several.
 */
export function rateLimitHeaders(quotas: Iterable<Quota>): { ratelimit: string; 'ratelimit-policy': string } {
  const states: string[] = []
  const policies: string[] = []
  for (const { operation, limit, windowSeconds, remaining, resetSeconds } of quotas) {
    states.push(`"${operation}";r=${remaining};t=${resetSeconds}`)
    policies.push(`"${operation}";q=${limit};w=${windowSeconds}`)
  }
  return { ratelimit: states.join(', '), 'ratelimit-policy': policies.join(', ') }
}

/**
 * The network whose share of a limit an address uses: an IPv4 address itself, or the /64 of an IPv6 address, in which
 * one subscriber may choose any address.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return plain.slice(0, 64)
  // The URL parser writes the canonical form: one ::, no leading zeros, no dotted quad.
  const [head = '', tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups = [...front, ...Array<string>(8 - front.length - back.length).fill('0'), ...back]
  return `${groups.slice(0, 4).join(':')}::/64`
}
