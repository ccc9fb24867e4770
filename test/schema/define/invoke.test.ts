import { expect, it } from 'vitest'
import { z } from 'zod'
import { createMemoryCounter } from '../../../db/shared-state/create-memory-state.ts'
import { createCostlyTurns } from '../../../gateway/limits/fair-gate.ts'
import { createRateLimiter } from '../../../gateway/limits/create-rate-limiter.ts'
import type { Principal } from '../../../relayer/identity/principal.ts'
import { presentClient, SERVICE, type Client } from '../../../relayer/shares/client.ts'
import type { OperationContext } from '../../../schema/define/context.ts'
import { invoke } from '../../../schema/define/invoke.ts'
import { accountPath } from '../../../schema/define/account-operation.ts'
import { digits } from '../../../schema/define/scalars.ts'
import { described, parameters, shape } from '../../../schema/define/shape.ts'
import { accountNotFound } from '../../../relayer/errors.ts'
import { defineOperation, type Operation } from '../../../schema/define/operation.ts'
import { partialServices } from '../../gateway/partial-services.ts'

const terms = {
  name: 'echo',
  kind: 'query',
  rest: 'GET /echo/{id}',
  status: 200,
  errors: [],
  section: 'Test',
  summary: 'Echo',
  description: 'Answers its input.',
  input: {
    path: parameters({ id: described(z.int().transform(BigInt), 'A number.') }),
    query: parameters({ loud: described(z.boolean().default(false), 'Whether to shout.') }),
  },
  output: shape('Echo', 'What was asked.', {
    id: described(digits, 'The next number.'),
    loud: described(z.boolean(), 'Whether to shout.'),
  }),
} as const

const echo = defineOperation({
  ...terms,
  access: 'bearer',
  limit: 2,
  run: async ({ path, query }) => ({ id: path.id + 1n, loud: query.loud, more: 'not listed' }),
})

function contextOf(principal: Principal | null, address = '10.0.0.1'): OperationContext {
  return {
    services: partialServices({}),
    client: { address },
    hasToken: true,
    authenticate: async () => principal,
    idempotencyKey: null,
    idempotency: { once: (_, run) => run(async () => {}) },
    signal: new AbortController().signal,
    costly: createCostlyTurns(100),
    limiter: createRateLimiter({ rateCounter: ({ seconds }) => createMemoryCounter(seconds) }),
  }
}

const known: Principal = {
  kind: 'session',
  id: 'somebody',
  authAddress: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
  accountId: null,
  keyAccessMethod: 'unknown',
  scopes: new Set(['read']),
  tokenId: 'token-1',
  expiresAt: null,
}

it('runs with parsed input, and writes the answer by its shape', async () => {
  expect(await invoke(echo, { path: { id: 1 }, query: {} }, contextOf(known))).toEqual({
    id: '2',
    loud: false,
  })
})

it('draws on the shares of the network that asks and of the account that its token is of', async () => {
  const seen: Client[] = []
  const seeing = (access: 'bearer' | 'public') =>
    defineOperation({
      ...terms,
      access,
      run: async ({ path }) => {
        await Promise.resolve()
        seen.push(presentClient())
        return { id: path.id, loud: false }
      },
    })
  await invoke(seeing('bearer'), { path: { id: 1 }, query: {} }, contextOf(known))
  await invoke(seeing('public'), { path: { id: 1 }, query: {} }, contextOf(null, '10.0.0.2'))
  expect(seen).toEqual([
    { network: '10.0.0.1', account: 'somebody' },
    { network: '10.0.0.2', account: null },
  ])
  expect(presentClient()).toBe(SERVICE)
})

it('access is checked before anything else', async () => {
  await expect(invoke(echo, {}, contextOf(null))).rejects.toMatchObject({
    kind: 'unauthorized',
    code: 'UNAUTHORIZED',
  })
})

it('a refusal names every wrong member and the expected form', async () => {
  await expect(
    invoke(echo, { path: { id: 'x' }, query: { loud: 1 } }, contextOf(known)),
  ).rejects.toMatchObject({
    kind: 'bad-request',
    code: 'BAD_REQUEST',
    message: 'path.id: expected number; query.loud: expected boolean',
  })
})

it('rate limits count malformed requests too', async () => {
  const context = contextOf(known)
  await expect(invoke(echo, {}, context)).rejects.toMatchObject({ kind: 'bad-request' })
  await invoke(echo, { path: { id: 1 }, query: {} }, context)
  await expect(invoke(echo, { path: { id: 1 }, query: {} }, context)).rejects.toMatchObject({
    kind: 'too-many-requests',
    message: 'Rate limit exceeded. Maximum 2 requests per 1 minute.',
  })
  const other = { ...context, authenticate: async () => ({ ...known, id: 'somebody else' }) }
  expect(await invoke(echo, { path: { id: 1 }, query: {} }, other)).toEqual({ id: '2', loud: false })
})

const owner: Principal = { ...known, accountId: 'd9428888-122b-11e1-b85c-61cd3cbb3210' }
const amountShape = shape('Amount', 'An amount.', { amount: described(z.string(), 'How much.') })
const ofAccount = ({
  kind = 'query',
  ...refusal
}: Partial<Pick<Operation, 'foreignAccount' | 'kind'>> = {}) =>
  defineOperation({
    ...terms,
    kind,
    rest: `${kind === 'query' ? 'GET' : 'POST'} /v1/accounts/{accountId}`,
    access: 'bearer',
    ...refusal,
    idempotency: 'required',
    input: { path: accountPath, body: amountShape },
    output: amountShape,
    run: async ({ body }) => ({ amount: body.amount }),
  })
const path = { accountId: owner.accountId }
const body = { amount: '1' }

it.each([
  ['another account', { path: { accountId: 'd9428888-122b-11e1-b85c-61cd3cbb3211' } }, owner],
  ['what is no id', { path: { accountId: 7 } }, owner],
  ['no id', {}, owner],
  ['whoever has no account', { path }, known],
])('a request %s is refused before its body is parsed', async (_, input, principal) => {
  const refused = (terms: Partial<Operation> = {}) => invoke(ofAccount(terms), input, contextOf(principal))
  await expect(refused()).rejects.toMatchObject({ kind: 'forbidden' })
  await expect(refused({ foreignAccount: accountNotFound })).rejects.toMatchObject({ kind: 'not-found' })
})

it('a token may do what its scopes allow', async () => {
  const reader = contextOf({ ...owner, scopes: new Set(['read']) })
  const writer = contextOf({ ...owner, scopes: new Set(['write']) })
  const input = { path: { accountId: String(path.accountId).toUpperCase() }, body }
  const run = (kind: 'query' | 'mutation', context: OperationContext) =>
    invoke(ofAccount({ kind }), input, { ...context, idempotencyKey: 'k' })
  expect(await run('query', reader)).toEqual(body)
  expect(await run('mutation', writer)).toEqual(body)
  await expect(run('mutation', reader)).rejects.toMatchObject({ kind: 'forbidden', message: /write/ })
  await expect(run('query', writer)).rejects.toMatchObject({ kind: 'forbidden', message: /read/ })
})

it('idempotency gets the key, its scope and the parsed input', async () => {
  const asked: unknown[] = []
  const context: OperationContext = {
    ...contextOf(owner),
    idempotencyKey: 'k',
    idempotency: {
      once: async (request) => {
        asked.push(request)
        return 'kept'
      },
    },
  }
  expect(await invoke(ofAccount(), { path, body: { ...body, unknown: 1 } }, context)).toBe('kept')
  expect(asked).toEqual([{ accountId: owner.accountId, operation: 'echo', key: 'k', input: { path, body } }])
})

it.each([[null], [''], ['x'.repeat(256)]])(
  'the Idempotency-Key %j is refused where one is required',
  async (idempotencyKey) => {
    const context = { ...contextOf(owner), idempotencyKey }
    await expect(invoke(ofAccount(), { path, body }, context)).rejects.toMatchObject({
      kind: 'bad-request',
      code: 'BAD_REQUEST',
      message: /Idempotency-Key/,
    })
  },
)

it("of costly reads two of an account run at once, four of all, and another account's comes next", async () => {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const context = contextOf(owner)
  const read = (name: string, accountId: string | null, cost: Pick<Operation, 'isCostly'>) =>
    invoke(
      defineOperation({
        ...terms,
        ...cost,
        name,
        rest: 'GET /v1/accounts/{accountId}',
        access: 'bearer',
        input: { path: accountPath },
        output: amountShape,
        run: async () => {
          begun.push(name)
          await new Promise<void>((resolve) => ends.push(resolve))
          return { amount: '1' }
        },
      }),
      { path: { accountId } },
      { ...context, authenticate: async () => ({ ...owner, id: String(accountId), accountId }) },
    )
  const { accountId } = owner
  const [other, honest] = ['0', '1'].map((digit) => `0000000${digit}-0000-4000-8000-000000000000`)
  const isCostly = true
  const all = Array.from({ length: 6 }, () => read('greedy', accountId, { isCostly }))
  await expect.poll(() => begun.length).toBe(2)
  all.push(...Array.from({ length: 3 }, () => read('other', other!, { isCostly })))
  await expect.poll(() => begun).toEqual(['greedy', 'greedy', 'other', 'other'])
  all.push(read('honest', honest!, { isCostly }), read('cheap', accountId, {}))
  await expect.poll(() => begun).toContain('cheap')
  expect(begun).not.toContain('honest')
  ends.shift()?.()
  await expect.poll(() => begun.at(-1)).toBe('honest')
  for (const { length } = all; begun.length < length || ends.length > 0;) {
    ends.shift()?.()
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(all)
})
