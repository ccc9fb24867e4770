import { randomBytes, randomUUID } from 'node:crypto'
import { getNamedType, isRequiredArgument, type GraphQLObjectType } from 'graphql'
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiKey } from '../../relayer/identity/api-keys.ts'
import { createVault } from '../../relayer/identity/create-vault.ts'
import { tokenKeys } from '../../relayer/identity/key-kinds.ts'
import { openMasterKeys } from '../../relayer/identity/open-master-keys.ts'
import type { Scope } from '../../relayer/identity/principal.ts'
import { openServerKeys } from '../../relayer/identity/server-keys.ts'
import { buildGraph } from '../../schema/build-graph.ts'
import { operations } from '../../schema/features.ts'
import { post, type GraphqlFault } from '../harness/call.ts'
import { fieldsOf } from '../harness/select-all-fields.ts'
import { subscribe } from '../harness/subscribe.ts'
import { openDoors, type Door, type Outcome } from '../harness/call-operation.ts'
import { sampleInput } from '../harness/sample-input.ts'
import { startTestService, type TestService } from '../harness/start-service.ts'
import { openAccount, OWN_LIMITS, signIn } from '../relayer/account/open-account.ts'

const FAULTS = ['malformed', 'altered', 'expired', 'expired API key', 'revoked', 'unknown API key'] as const

let service: TestService
let doors: Door[]
let owner: { accountId: string; token: string }
let stranger: { accountId: string; token: string }
let readOnly: string
const badTokens = new Map<string, string>()

const tokenOf = (headers: Record<string, string>) => String(headers['authorization']).slice('Bearer '.length)

async function makeApiKey(
  accountId: string,
  scopes: Scope[],
  expiresAt: Date | null = null,
): Promise<string> {
  const vault = createVault(openMasterKeys(undefined, service.dataDir))
  const { pool: database } = service.database
  const made = await createApiKey({ database, vault }, { accountId, label: '', scopes, expiresAt })
  return made!.token
}

/** An expired token of the owner, signed with the service's own key. */
async function makeExpired(token: string): Promise<string> {
  const vault = createVault(openMasterKeys(undefined, service.dataDir))
  const keys = await openServerKeys(tokenKeys, {
    database: service.database.pool,
    vault,
    overlapSeconds: 3_600,
  })
  const then = Math.floor(Date.now() / 1_000) - 7_200
  return new SignJWT({ ...decodeJwt(token), iat: then, exp: then + 3_600 })
    .setProtectedHeader({ alg: 'ES256', ...decodeProtectedHeader(token) })
    .sign((await keys.current()).privateKey)
}

beforeAll(async () => {
  service = await startTestService({
    http: { ...OWN_LIMITS.http, graphql: { tokenCheckMs: 100 } },
  })
  const { url } = service
  doors = openDoors(url, graph)
  const [one, other] = [await openAccount(url), await openAccount(url)]
  owner = { accountId: one.accountId, token: tokenOf(one.headers) }
  stranger = { accountId: other.accountId, token: tokenOf(other.headers) }
  readOnly = await makeApiKey(owner.accountId, ['read'])
  const revoked = await signIn(url, one.wallet)
  await revoked.send('POST', '/v1/logout')
  const apiKey = await makeApiKey(owner.accountId, ['read', 'write'])
  badTokens
    .set('malformed', 'nonsense')
    .set(
      'altered',
      owner.token.replace(/(?<=\.)[^.](?=[^.]*$)/, (first) => (first === 'A' ? 'B' : 'A')),
    )
    .set('expired', await makeExpired(owner.token))
    .set(
      'expired API key',
      await makeApiKey(owner.accountId, ['read', 'write'], new Date(Date.now() - 1_000)),
    )
    .set('revoked', tokenOf(revoked.headers))
    .set(
      'unknown API key',
      apiKey.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')),
    )
})
afterAll(() => service?.stop())

/** The answers of REST and GraphQL, which must agree on the status. */
async function askAll(ask: (door: Door) => Promise<Outcome>): Promise<Outcome> {
  const [rest, graphql] = [await ask(doors[0]!), await ask(doors[1]!)]
  expect(graphql.status).toBe(rest.status)
  return rest
}

const graph = buildGraph()
const accountType = graph.getType('Account') as GraphQLObjectType
/** Documents that subscribe to an account. */
const subscriptions = Object.values(graph.getSubscriptionType()?.getFields() ?? {})
  .filter(({ args }) => args.some((argument) => argument.name === 'accountId'))
  .map(({ name }) => name)
const follow = (name: string, accountId: string, token?: string) =>
  subscribe(service.url, `subscription { ${name}(accountId: "${accountId}") { __typename } }`, token)

const protectedOperations = operations.filter(({ access }) => access === 'bearer')
const ofAccounts = protectedOperations.filter(({ input }) => input.path && 'accountId' in input.path.shape)
const named = <Item extends { rest: string }>(items: readonly Item[]) =>
  items.map((item) => [item.rest, item] as const)

describe.each(named(protectedOperations))('%s', (_, operation) => {
  const unauthorized =
    operation.errorShape === 'oauth'
      ? { error: 'invalid_token', error_description: expect.any(String) }
      : { error: 'Unauthorized', message: expect.any(String), code: 'UNAUTHORIZED' }

  test('requires a token', async () => {
    const input = sampleInput(operation, owner.accountId)
    expect(await askAll((door) => door.ask(operation, input))).toEqual({ status: 401, body: unauthorized })
  })

  test.each(FAULTS)('refuses a token that is %s', async (fault) => {
    const input = sampleInput(operation, owner.accountId)
    const answer = await askAll((door) => door.ask(operation, input, badTokens.get(fault)))
    expect(answer).toEqual({ status: 401, body: unauthorized })
  })

  test('requires the scope of its operation', async () => {
    const input = sampleInput(operation, owner.accountId)
    const { status, body } = await askAll((door) => door.ask(operation, input, readOnly))
    if (operation.kind === 'mutation')
      expect([status, body]).toEqual([403, { error: 'Forbidden', message: expect.stringContaining('scope') }])
    else expect([401, 403, 500]).not.toContain(status)
  })
})

describe.each(named(ofAccounts))('%s', (_, operation) => {
  test('is closed to other accounts, and answers the same for an account that does not exist', async () => {
    const refused = operation.foreignAccount ? 404 : 403
    const theirs = sampleInput(operation, owner.accountId)
    const nobodys = sampleInput(operation, randomUUID())
    for (const door of doors) {
      const foreign = await door.ask(operation, theirs, stranger.token)
      expect([door.name, foreign.status]).toEqual([door.name, refused])
      expect(await door.ask(operation, nobodys, stranger.token)).toEqual(foreign)
    }
  })

  test('is refused before its body is read', async () => {
    if (!operation.input.body) return
    const input = { ...sampleInput(operation, owner.accountId), body: { nothing: 'of the kind' } }
    expect([403, 404]).toContain((await doors[0]!.ask(operation, input, stranger.token)).status)
  })
})

describe.each(named(operations.filter(({ access }) => access !== 'bearer')))('%s', (_, operation) => {
  test('treats a bad token like a missing one', async () => {
    const input = sampleInput(operation, owner.accountId)
    for (const door of doors) {
      const { status } = await door.ask(operation, input)
      for (const fault of FAULTS)
        expect([fault, (await door.ask(operation, input, badTokens.get(fault))).status]).toEqual([
          fault,
          status,
        ])
    }
  })
})

describe('the nodes of an account', () => {
  /**
   * A document over every list of nodes of an account, and their ids by its answer. The notes of a pool need its chain:
   * relayer/pool/tree/pool-state.test.ts.
   */
  const lists = fieldsOf(accountType).filter(
    ({ type, args }) => String(getNamedType(type)).endsWith('Connection') && !args.some(isRequiredArgument),
  )
  const query = `{ viewer { account { id ${lists.map(({ name }) => `${name} { nodes { id } }`).join(' ')} } } }`
  const ask = async (document: string, token?: string) =>
    (
      await post(
        `${service.url}/graphql`,
        { query: document },
        {
          'x-forwarded-for': `10.${randomBytes(3).join('.')}`,
          ...(token && { authorization: `Bearer ${token}` }),
        },
      )
    ).json as { data?: Record<string, unknown> | null; errors?: GraphqlFault[] }
  let ids: string[]

  beforeAll(async () => {
    const headers = { authorization: `Bearer ${owner.token}`, 'x-forwarded-for': '10.99.0.1' }
    await post(`${service.url}/v1/accounts/${owner.accountId}/payment-address`, {}, headers)
    const { data } = await ask(query, owner.token)
    expect(data).toBeTruthy()
    ids = [...JSON.stringify(data).matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id!)
    expect(ids.length).toBeGreaterThan(1)
  })

  test('are found by their owner, also with a token that only reads', async () => {
    for (const token of [owner.token, readOnly])
      for (const id of ids)
        expect(await ask(`{ node(id: "${id}") { id } }`, token)).toEqual({ data: { node: { id } } })
  })

  test('are nothing to another account', async () => {
    for (const id of ids)
      expect(await ask(`{ node(id: "${id}") { id __typename } }`, stranger.token)).toEqual({
        data: { node: null },
      })
  })

  test.each([...FAULTS, 'missing'])('are refused to a token that is %s', async (fault) => {
    for (const id of ids)
      expect(await ask(`{ node(id: "${id}") { id } }`, badTokens.get(fault))).toMatchObject({
        data: { node: null },
        errors: [{ extensions: { status: 401, code: 'UNAUTHORIZED' } }],
      })
  })
})

describe.each(subscriptions)('subscription %s', (name) => {
  test.each([...FAULTS, 'missing'])('refuses a token that is %s', async (fault) => {
    const events = await follow(name, owner.accountId, badTokens.get(fault))
    expect(await events.next()).toMatchObject({
      errors: [{ extensions: { error: 'Unauthorized', status: 401, code: 'UNAUTHORIZED' } }],
    })
    expect(await events.next()).toBeUndefined()
  })

  test('is closed to other accounts', async () => {
    for (const accountId of [owner.accountId, randomUUID()]) {
      const events = await follow(name, accountId, stranger.token)
      expect(await events.next()).toMatchObject({ errors: [{ extensions: { status: 403 } }] })
    }
  })

  test('ends with its token, and says so', async () => {
    const leaving = await openAccount(service.url)
    const events = await follow(name, leaving.accountId, tokenOf(leaving.headers))
    await leaving.send('POST', '/v1/logout')
    // Some begin with the present state.
    const first = await events.next()
    const last = first && 'errors' in first ? first : await events.next()
    expect(last).toMatchObject({ errors: [{ extensions: { status: 401, code: 'UNAUTHORIZED' } }] })
    expect(await events.next()).toBeUndefined()
  })
})

test('every operation on an account requires a token', () => {
  const open = operations.filter(({ rest, access }) => rest.includes('{accountId}') && access !== 'bearer')
  expect(open.map(({ rest }) => rest)).toEqual([])
  expect([ofAccounts.length > 10, subscriptions.length > 0]).toEqual([true, true])
})
