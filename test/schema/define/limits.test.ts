import { expect, it } from 'vitest'
import { createMemoryCounter } from '../../../db/shared-state/create-memory-state.ts'
import { createRateLimiter } from '../../../gateway/limits/create-rate-limiter.ts'
import type { LimitedClient } from '../../../schema/define/context.ts'
import { limitOf, takeStream } from '../../../schema/define/limits.ts'

it("an operation without a limit of its own has its class's limit", () => {
  expect(limitOf({ access: 'bearer' })).toBe(1_200)
  expect(limitOf({ access: 'bearer', isCostly: true })).toBe(240)
  expect(limitOf({ access: 'public' })).toBe(60_000)
  expect(limitOf({ access: 'bearer', isCostly: true, limit: 60 })).toBe(60)
})

it.each([
  ['an account', { principal: 'somebody' }, 240],
  ['a network', { address: '198.51.100.1' }, 12_000],
] as const)('%s opens a bounded number of streams a minute', async (_, client: LimitedClient, most) => {
  const limiter = createRateLimiter({ rateCounter: ({ seconds }) => createMemoryCounter(seconds) })
  for (let stream = 0; stream < most; stream += 1) await takeStream(client, { limiter })
  await expect(takeStream(client, { limiter })).rejects.toMatchObject({
    kind: 'too-many-requests',
    message: `Rate limit exceeded. Maximum ${most} requests per 1 minute.`,
  })
})
