import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getIntrospectionQuery } from 'graphql'
import { afterAll, describe, expect, it } from 'vitest'
import { httpConfig } from '../../../gateway/http/http-config.ts'
import { call, graphql, post } from '../../harness/call.ts'
import { openGateway } from '../open-gateway.ts'

const folder = mkdtempSync(join(tmpdir(), 'documents-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

const QUERY = '{ relayerRequestStatus(requestId: "nobody") { status } }'
const OTHER = '{ __typename }'
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const persisted = (hash: unknown) => ({ persistedQuery: { version: 1, sha256Hash: hash } })

describe('automatic persisted queries', () => {
  it('store a document that was sent with its hash', async () => {
    const { url } = await openGateway()
    const named = { extensions: persisted(sha256(OTHER)) }
    const unknown = await post(`${url}/graphql`, named)
    expect([unknown.status, unknown.json]).toMatchObject([
      200,
      { errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] },
    ])
    const answer = { data: { __typename: 'Query' } }
    expect((await post(`${url}/graphql`, { ...named, query: OTHER })).json).toEqual(answer)
    expect((await post(`${url}/graphql`, named)).json).toEqual(answer)
    const search = new URLSearchParams({ extensions: JSON.stringify(named.extensions) })
    expect((await call(`${url}/graphql?${search}`)).json).toEqual(answer)
  })

  it('refuse a wrong hash and store nothing', async () => {
    const { url } = await openGateway()
    const extensions = persisted(sha256(QUERY))
    expect(await post(`${url}/graphql`, { query: OTHER, extensions })).toMatchObject({
      status: 400,
      json: { errors: [{ extensions: { code: 'PERSISTED_QUERY_MISMATCH' } }] },
    })
    expect((await post(`${url}/graphql`, { extensions })).json).toMatchObject({
      errors: [{ message: 'PersistedQueryNotFound' }],
    })
  })

  it.each([[1], [{}], [{ persistedQuery: { version: 2, sha256Hash: 'x' } }], [persisted(7)]])(
    'refuse the extensions %j',
    async (extensions) => {
      const { url } = await openGateway()
      const given = typeof extensions === 'object' && 'persistedQuery' in extensions
      const answer = await post(`${url}/graphql`, { query: OTHER, extensions })
      expect(answer.status).toBe(given || extensions === 1 ? 400 : 200)
    },
  )
})

describe('listed documents', () => {
  writeFileSync(join(folder, 'status.graphql'), QUERY)
  const list = join(folder, 'list.json')
  writeFileSync(list, JSON.stringify({ 'build-7': QUERY }))

  it.each([
    ['a folder', folder, sha256(QUERY)],
    ['a file', list, 'build-7'],
  ])('of %s run by their hash, and with onlyListed nothing else runs', async (_, documents, hash) => {
    const { url } = await openGateway({ graphql: { documents, onlyListed: true } })
    const run = { data: { relayerRequestStatus: null }, errors: [{ extensions: { status: 404 } }] }
    expect((await post(`${url}/graphql`, { extensions: persisted(hash) })).json).toMatchObject(run)
    const refused = { errors: [{ extensions: { status: 400, code: 'PERSISTED_QUERY_ONLY' } }] }
    for (const body of [
      { query: OTHER },
      { query: QUERY },
      { query: OTHER, extensions: persisted(hash) },
      { query: OTHER, extensions: persisted(sha256(OTHER)) },
      { extensions: persisted(sha256(OTHER)) },
    ])
      expect((await post(`${url}/graphql`, body)).json).toMatchObject(refused)
  })

  it('do not exclude other documents unless onlyListed is set', async () => {
    const { url } = await openGateway({ graphql: { documents: folder } })
    expect(await graphql(url, OTHER)).toEqual({ data: { __typename: 'Query' } })
    const named = await post(`${url}/graphql`, { extensions: persisted(sha256(QUERY)) })
    expect(named.json).toHaveProperty('data.relayerRequestStatus', null)
  })

  it('are loaded again when their folder changes; one with a mistake changes nothing', async () => {
    const changing = mkdtempSync(join(folder, 'changing-'))
    writeFileSync(join(changing, 'first.graphql'), QUERY)
    const { url, log } = await openGateway({ graphql: { documents: changing, onlyListed: true } })
    const run = async (document: string) =>
      (await post(`${url}/graphql`, { extensions: persisted(sha256(document)) })).json
    const refused = { errors: [{ extensions: { code: 'PERSISTED_QUERY_ONLY' } }] }
    expect(await run(OTHER)).toMatchObject(refused)
    writeFileSync(join(changing, 'second.graphql'), OTHER)
    await expect.poll(() => run(OTHER), { timeout: 60_000 }).toEqual({ data: { __typename: 'Query' } })
    writeFileSync(join(changing, 'third.graphql'), 'query {')
    const isLogged = async () => {
      await run('{ other: __typename }')
      return log.some(({ msg }) => String(msg).includes('have a mistake'))
    }
    await expect.poll(isLogged, { timeout: 60_000 }).toBe(true)
    expect(await run(OTHER)).toEqual({ data: { __typename: 'Query' } })
  })

  it('are validated when the service starts', async () => {
    const bad = join(folder, 'bad.json')
    writeFileSync(bad, JSON.stringify({ one: 'query {' }))
    await expect(openGateway({ graphql: { documents: bad } })).rejects.toThrow('document one is not GraphQL')
    await expect(openGateway({ graphql: { documents: join(folder, 'none') } })).rejects.toThrow('none')
    expect(httpConfig.safeParse({ graphql: { onlyListed: true } }).success).toBe(false)
  })
})

describe('with introspection disabled', () => {
  const hidden = { graphql: { introspection: false } }

  it('a query for the schema is refused', async () => {
    const { url } = await openGateway(hidden)
    for (const query of [getIntrospectionQuery(), '{ a: __type(name: "Query") { name } }'])
      expect((await graphql(url, query)).errors?.[0]?.extensions).toMatchObject({ status: 400 })
    expect((await graphql(url, '{ relayerDetail }')).errors?.[0]?.message).not.toContain('relayerDetails')
    expect(await graphql(url, OTHER)).toEqual({ data: { __typename: 'Query' } })
  })

  it('an error about a variable names no member of its input', async () => {
    const query = 'query ($input: RelayerQuoteRequestInput!) { relayerQuote(input: $input) { feeBPS } }'
    const input = { chainId: 1, amount: '1', asset: '0x', recipient: '0x', extraGa: true }
    const ask = async (url: string) => (await graphql(url, query, { input })).errors?.[0]
    expect((await ask((await openGateway()).url))?.message).toContain('extraGas')
    const shown = await ask((await openGateway(hidden)).url)
    expect(shown).toMatchObject({ extensions: { status: 400 } })
    expect(shown?.message).not.toContain('extraGas')
  })

  it('the explorer is not served', async () => {
    const { url } = await openGateway(hidden)
    const page = await call(`${url}/graphql`, { headers: { accept: 'text/html' } })
    expect(page.text).not.toContain('<html')
  })

  it('suggestions are off, which are on by default', async () => {
    const { url } = await openGateway()
    expect((await graphql(url, '{ relayerDetail }')).errors?.[0]?.message).toContain('relayerDetails')
  })
})
