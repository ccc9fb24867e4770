import { expect, it, onTestFinished, vi } from 'vitest'
import type { GraphqlOptions } from '../../../gateway/graphql/graphql-routes.ts'
import { lateGraphqlRoutes } from '../../../gateway/graphql/late-graphql-routes.ts'
import { httpConfig } from '../../../gateway/http/http-config.ts'

it('a service that is stopped before it loads GraphQL does not load it any more', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const ending = new AbortController()
  await lateGraphqlRoutes({
    config: httpConfig.parse({}).graphql,
    shutdown: ending.signal,
  } as GraphqlOptions)
  expect(vi.getTimerCount()).toBe(1)
  ending.abort()
  expect(vi.getTimerCount()).toBe(0)
})
