import { expect, it } from 'vitest'
import { getIntrospectionQuery } from 'graphql'
import { call, graphql, post } from '../../harness/call.ts'
import { openGateway } from '../open-gateway.ts'

it('answers introspection', async () => {
  const { url } = await openGateway()
  const answer = await graphql(url, getIntrospectionQuery())
  expect(answer.errors).toBeUndefined()
  expect(answer.data).toHaveProperty('__schema.subscriptionType.name', 'Subscription')
})

it('refuses a document of too many aliases, without running any', async () => {
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

it('refuses a document of too many tokens before it reads it all', async () => {
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
])('refuses a document with so many %s that to validate it would take long', async (_, query) => {
  const { url } = await openGateway()
  const answer = await graphql(url, query)
  expect(answer.errors).toHaveLength(1)
  expect(answer.errors?.[0]).toMatchObject({
    message: expect.stringContaining('75 times'),
    extensions: { error: 'Bad request', status: 400, code: 'QUERY_TOO_LARGE' },
  })
})

it('refuses a document that selects a field again and again, without running any of it', async () => {
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

it('takes as many aliases of one operation, with all that is below, as may run', async () => {
  const { url } = await openGateway()
  const aliases = Array.from(
    { length: 24 },
    (_, at) =>
      `a${at}: relayerRequestStatus(requestId: "x") { requestId status chainId txHash error updatedAt }`,
  )
  const answer = await graphql(url, `{ ${aliases.join(' ')} }`)
  expect(answer.errors?.map(({ extensions }) => extensions['code'])).not.toContain('QUERY_TOO_LARGE')
})

it('refuses batches and mutations by GET', async () => {
  const { url } = await openGateway()
  expect((await post(`${url}/graphql`, [{ query: '{ __typename }' }])).json?.['errors']).toMatchObject([
    { extensions: { status: 400 } },
  ])
  const byGet = await call(`${url}/graphql?query=${encodeURIComponent('mutation { __typename }')}`)
  expect(byGet.status).toBe(405)
  expect(byGet.json?.['errors']).toHaveLength(1)
})

it.each(['{', '{ nope }', '', 'query ($x: Nope) { __typename }', '{ ...a } fragment a on Query { ...a }'])(
  'answers the faulty document %j in the error contract',
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

it('answers a body above the limit with 413 in the shape of GraphQL', async () => {
  const { url } = await openGateway()
  const answer = await post(`${url}/graphql`, { query: `{ __typename } #${'x'.repeat(300_000)}` })
  expect(answer.status).toBe(413)
  expect(answer.json?.['errors']).toMatchObject([{ extensions: { error: 'Payload too large', status: 413 } }])
})

it('bounds the operations of one document', async () => {
  const { url, withdrawals } = await openGateway()
  let ran = 0
  withdrawals.before = async () => {
    ran += 1
  }
  const document = (count: number) =>
    `{ ${Array.from({ length: count }, (_, at) => `a${at}: relayerRequestStatus(requestId: "x") { __typename }`).join(' ')} }`
  const refused = await graphql(url, document(26))
  expect([refused.errors?.[0]?.extensions, ran]).toMatchObject([{ code: 'QUERY_TOO_LARGE' }, 0])
  await graphql(url, document(24))
  expect(ran).toBe(24)
})

it('counts what fragments multiply, without unfolding it', async () => {
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
])('refuses to tell the schema too %s', async (_, query) => {
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
])('refuses to tell more of the schema than tools ask for, %s', async (_, query) => {
  const { url } = await openGateway()
  const answer = await graphql(url, query)
  expect(answer.data).toBeUndefined()
  expect(answer.errors?.[0]?.extensions).toMatchObject({ status: 400, code: 'QUERY_TOO_LARGE' })
})

it('tells of one type whatever people ask', async () => {
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

it('refuses a text that is long for its comments alone', async () => {
  const { url } = await openGateway()
  const answer = await graphql(url, `{ __typename } #${'x'.repeat(70_000)}`)
  expect(answer.errors?.[0]?.extensions).toMatchObject({ status: 400, code: 'QUERY_TOO_LARGE' })
})
