import { expect, it } from 'vitest'
import { getIntrospectionQuery } from 'graphql'
import { call, graphql, post } from '../../harness/call.ts'
import { openGateway } from '../open-gateway.ts'

it('the API answers introspection', async () => {
  const { url } = await openGateway()
  const answer = await graphql(url, getIntrospectionQuery())
  expect(answer.errors).toBeUndefined()
  expect(answer.data).toHaveProperty('__schema.subscriptionType.name', 'Subscription')
})

it('a document with too many aliases is refused before any runs', async () => {
  const { url, withdrawals } = await openGateway()
  let ran = 0
  withdrawals.before = async () => {
    ran += 1
  }
  const aliases = Array.from(
    { length: 101 },
    (_, at) => `a${at}: relayerRequestStatus(requestId: "x") { status }`,
  )
  const answer = await graphql(url, `{ ${aliases.join(' ')} }`)
  expect(answer.errors?.[0]?.extensions).toMatchObject({ status: 400, code: 'QUERY_TOO_LARGE' })
  expect(ran).toBe(0)
})

it('a document that is nested more deeply than the stack allows is refused as a mistake of the client', async () => {
  const { url } = await openGateway()
  const depth = 1_900
  const answer = await graphql(url, `{ relayerDetails(chainId: ${'['.repeat(depth)}) }`)
  expect(answer.errors).toHaveLength(1)
  expect(answer.errors?.[0]?.extensions).toMatchObject({ status: 400 })
})

it('a document with too many tokens is refused before it is read completely', async () => {
  const { url } = await openGateway()
  const answer = await graphql(url, `{ ${'a '.repeat(10_000)} }`)
  expect(answer.errors?.[0]?.message).toContain('more than 2000 tokens')
  expect(answer.errors?.[0]?.extensions).toMatchObject({ error: 'Bad request', status: 400 })
})

it.each([
  ['fields of one name', `{ ${'viewer { scopes } '.repeat(100)} }`],
  ['fields of one name further down', `{ viewer { ${'account { accountId } '.repeat(100)} } }`],
  [
    'fragments',
    `{ viewer { ...F0 } } ${Array.from({ length: 100 }, (_, at) => `fragment F${at} on Viewer { scopes ${at < 99 ? `...F${at + 1}` : ''} }`).join(' ')}`,
  ],
])('a document with so many %s that validation would be slow is refused', async (_, query) => {
  const { url } = await openGateway()
  const answer = await graphql(url, query)
  expect(answer.errors).toHaveLength(1)
  expect(answer.errors?.[0]).toMatchObject({
    message: expect.stringContaining('75 times'),
    extensions: { error: 'Bad request', status: 400, code: 'QUERY_TOO_LARGE' },
  })
})

it('a document of many fragments runs where few of them meet', async () => {
  const { url } = await openGateway()
  const parts = (count: number) =>
    Array.from(
      { length: count },
      (_, at) => `fragment F${at} on Viewer { ...G${at} } fragment G${at} on Viewer { scopes }`,
    ).join(' ')
  const name = (count: number, select: (at: number) => string) =>
    `{ ${Array.from({ length: count }, (_, at) => select(at)).join(' ')} }`
  const apart = `${name(60, (at) => `a${at}: viewer { ...F${at} }`)} ${parts(60)}`
  expect((await graphql(url, apart)).errors).toBeUndefined()
  const together = `{ viewer ${name(60, (at) => `...F${at}`)} } ${parts(60)}`
  expect((await graphql(url, together)).errors?.[0]?.extensions).toMatchObject({ code: 'QUERY_TOO_LARGE' })
})

it('a document that selects one field again and again is refused before it runs', async () => {
  const { url, withdrawals } = await openGateway()
  let ran = 0
  withdrawals.before = async () => {
    ran += 1
  }
  const document = (count: number) =>
    `{ relayerRequestStatus(requestId: "x") { ${Array.from({ length: count }, (_, at) => `a${at}: status`).join(' ')} } }`
  const refused = await graphql(url, document(102))
  expect([refused.errors?.[0]?.extensions, ran]).toMatchObject([{ code: 'QUERY_TOO_LARGE' }, 0])
  await graphql(url, document(101))
  expect(ran).toBe(1)
})

it('a document may have as many aliases of one operation as may run', async () => {
  const { url } = await openGateway()
  const aliases = Array.from(
    { length: 24 },
    (_, at) =>
      `a${at}: relayerRequestStatus(requestId: "x") { requestId status chainId txHash error updatedAt }`,
  )
  const answer = await graphql(url, `{ ${aliases.join(' ')} }`)
  expect(answer.errors?.map(({ extensions }) => extensions['code'])).not.toContain('QUERY_TOO_LARGE')
})

it('batches, and mutations by GET, are refused', async () => {
  const { url } = await openGateway()
  expect((await post(`${url}/graphql`, [{ query: '{ __typename }' }])).json?.['errors']).toMatchObject([
    { extensions: { status: 400 } },
  ])
  const byGet = await call(`${url}/graphql?query=${encodeURIComponent('mutation { __typename }')}`)
  expect(byGet.status).toBe(405)
  expect(byGet.json?.['errors']).toHaveLength(1)
})

it.each(['{', '{ nope }', '', 'query ($x: Nope) { __typename }', '{ ...a } fragment a on Query { ...a }'])(
  'the faulty document %j is answered in the documented error format',
  async (query) => {
    const { url } = await openGateway()
    const answer = await graphql(url, query)
    expect(answer.errors?.[0]?.extensions).toMatchObject({
      error: 'Bad request',
      status: 400,
      code: expect.any(String),
    })
  },
)

it("a body above the limit is answered with 413 in GraphQL's format", async () => {
  const { url } = await openGateway()
  const answer = await post(`${url}/graphql`, { query: `{ __typename } #${'x'.repeat(300_000)}` })
  expect(answer.status).toBe(413)
  expect(answer.json?.['errors']).toMatchObject([{ extensions: { error: 'Payload too large', status: 413 } }])
})

it('a document may run only a limited number of operations', async () => {
  const { url, withdrawals } = await openGateway()
  let ran = 0
  withdrawals.before = async () => {
    ran += 1
  }
  const document = (count: number) =>
    `{ ${Array.from({ length: count }, (_, at) => `a${at}: relayerRequestStatus(requestId: "x${at}") { __typename }`).join(' ')} }`
  const refused = await graphql(url, document(38))
  expect([refused.errors?.[0]?.extensions, ran]).toMatchObject([{ code: 'QUERY_TOO_LARGE' }, 0])
  await graphql(url, document(36))
  expect(ran).toBe(36)
})

it('a document runs an operation once for each input, and again after a change', async () => {
  const { url, withdrawals } = await openGateway()
  let ran = 0
  withdrawals.before = async () => {
    ran += 1
  }
  const status = (id: string) => `relayerRequestStatus(requestId: "${id}") { status }`
  const answer = await graphql(url, `{ a: ${status('x')} b: ${status('x')} c: ${status('y')} }`)
  expect(answer.errors?.map(({ path }) => path)).toEqual([['a'], ['b'], ['c']])
  expect(ran).toBe(2)
  await graphql(url, `{ ${status('x')} }`)
  expect(ran).toBe(3)
})

it('fragments are counted as often as they are used, without expanding them', async () => {
  const { url, withdrawals } = await openGateway()
  let ran = 0
  withdrawals.before = async () => {
    ran += 1
  }
  const fragments = Array.from(
    { length: 60 },
    (_, at) => `fragment f${at} on Query { ...f${at + 1} ...f${at + 1} }`,
  )
  const last = 'fragment f60 on Query { relayerRequestStatus(requestId: "x") { status } }'
  const answer = await graphql(
    url,
    `
      {
        ...f0
      }
      ${fragments.join(' ')}
      ${last}
    `,
  )
  expect([answer.errors?.[0]?.extensions, ran]).toMatchObject([{ code: 'QUERY_TOO_LARGE' }, 0])
})

it.each([
  ['often', `{ ${Array.from({ length: 100 }, (_, at) => `a${at}: __schema { types { name } }`).join(' ')} }`],
  ['deeply', `{ __schema { types { ${'fields { type { '.repeat(8)} name ${'} }'.repeat(8)} } } }`],
])('an introspection that goes too %s is refused', async (_, query) => {
  const { url } = await openGateway()
  const answer = await graphql(url, query)
  expect(answer.data).toBeUndefined()
  expect(answer.errors?.[0]?.extensions).toMatchObject({ status: 400 })
})

const aliases = (count: number, inner: string) =>
  Array.from({ length: count }, (_, at) => `a${at}: fields(includeDeprecated: true) { ${inner} }`).join(' ')

it.each([
  ['by many aliases', `{ __schema { types { ${aliases(150, 'name')} } } }`],
  [
    'by aliases within aliases',
    `{ __schema { types { ${aliases(12, 'type { ...Inner ofType { ...Inner } }')} } } }
     fragment Inner on __Type { ${aliases(12, 'name')} }`,
  ],
  [
    'of one type',
    `{ __type(name: "Query") { ${aliases(30, '...Inner')} } }
     fragment Inner on __Field { ${aliases(30, 'name').replaceAll('fields', 'args')} }`,
  ],
])('an introspection beyond what tools need is refused: %s', async (_, query) => {
  const { url } = await openGateway()
  const answer = await graphql(url, query)
  expect(answer.data).toBeUndefined()
  expect(answer.errors?.[0]?.extensions).toMatchObject({ status: 400, code: 'QUERY_TOO_LARGE' })
})

it('introspection of a single type is not limited', async () => {
  const { url } = await openGateway()
  const type = '{ name kind ofType { name kind ofType { name kind ofType { name kind } } } }'
  const answer = await graphql(
    url,
    `{ __type(name: "Query") { name description
       fields(includeDeprecated: true) { name description args { name description defaultValue type ${type} } type ${type} }
       inputFields { name type ${type} } enumValues { name } possibleTypes { name } interfaces { name } } }`,
  )
  expect(answer.errors).toBeUndefined()
})

it('a document that is long only for its comments is refused', async () => {
  const { url } = await openGateway()
  const answer = await graphql(url, `{ __typename } #${'x'.repeat(70_000)}`)
  expect(answer.errors?.[0]?.extensions).toMatchObject({ status: 400, code: 'QUERY_TOO_LARGE' })
})

const SEARCH = (limit: number) =>
  `activitySearch(input: { address: "0x54a7ea4391ECA945c18896C62fbEE877AdB4b7de", pagination: { limit: ${limit} } }) { activity { txHash } }`

it.each([
  ['a search of five hundred', 8, SEARCH(500)],
  ['a connection of five hundred', 8, 'activities(first: 500) { edges { node { txHash } } }'],
  ['a connection of the last five hundred', 8, 'contacts(last: 500) { edges { node { name } } }'],
  ['a search of a hundred', 37, SEARCH(100)],
])('%s counts as often as it has a hundred entries: %i of them are too many', async (_, count, field) => {
  const { url } = await openGateway()
  const document = (times: number) =>
    `{ viewer { account { ${Array.from({ length: times }, (__, at) => `a${at}: ${field}`).join(' ')} } } }`
  const codes = async (times: number) =>
    (await graphql(url, document(times))).errors?.map(({ extensions }) => extensions['code']) ?? []
  expect(await codes(count)).toContain('QUERY_TOO_LARGE')
  expect(await codes(count - 2)).not.toContain('QUERY_TOO_LARGE')
})

it('a client that asks what its document costs is answered in the extensions', async () => {
  const { url } = await openGateway({ graphql: { pointsPerMinuteOfNetwork: 9_000 } })
  const ask = async (query: string, cost?: boolean) =>
    (await post(`${url}/graphql`, { query, ...(cost && { extensions: { cost } }) })).json?.['extensions']
  const status = (id: string) => `relayerRequestStatus(requestId: "${id}") { status }`
  expect(await ask(`{ ${status('x')} }`)).toBeUndefined()
  expect(await ask(`{ a: ${status('x')} b: ${status('y')} }`, true)).toEqual({
    cost: {
      points: 2_402,
      complexity: 2_402,
      breadth: 4,
      depth: 2,
      limit: 9_000,
      remaining: 9_000 - 1_201 - 2_402,
      resetSeconds: expect.any(Number),
    },
  })
  const many = Array.from({ length: 38 }, (_, at) => `a${at}: ${status('x')}`).join(' ')
  expect(await ask(`{ ${many} }`, true)).toMatchObject({ cost: { complexity: 38 * 1_201 } })
})
