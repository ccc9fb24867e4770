import type { Quota } from '../../schema/define/context.ts'

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
