import { expect, it } from 'vitest'
import { call } from '../../harness/call.ts'
import { openGateway } from '../open-gateway.ts'

const chain = {
  chainId: 31_337,
  name: 'Devnet',
  isTestnet: true,
  logoUri: null,
  isSquareLogo: false,
  capabilities: ['receive'],
}

const open = () => openGateway({}, { supportedChains: [chain] as never })

const byGraphql = (query: string) => `/graphql?query=${encodeURIComponent(query)}`

it.each([
  ['REST', '/v1/supported-chains'],
  ['GraphQL', byGraphql('{ supportedChains { chainId name } }')],
])('caches may store what is the same for everybody, and ask by %s whether it changed', async (_, path) => {
  const { url } = await open()
  const first = await call(url + path)
  expect(first.headers.get('cache-control')).toBe('public, max-age=300')
  expect(first.headers.get('vary')).toContain('authorization')
  const headers = { 'if-none-match': first.headers.get('etag')! }
  const second = await call(url + path, { headers })
  expect([second.status, second.text]).toEqual([304, ''])
  const stale = await call(url + path, { headers: { 'if-none-match': 'W/"other"' } })
  expect([stale.status, stale.text]).toEqual([200, first.text])
  const withToken = await call(url + path, { headers: { ...headers, authorization: 'Bearer x' } })
  expect([withToken.status, withToken.headers.get('cache-control')]).toEqual([200, 'no-store'])
})

it.each([
  [
    'that asks for more',
    byGraphql('{ supportedChains { name } relayerRequestStatus(requestId: "x") { status } }'),
  ],
  ['with a failure', byGraphql('{ supportedChains { name } node(id: "x") { id } }')],
  ['that does not run', byGraphql('{ supportedChains { colour } }')],
  ['about the schema', byGraphql('{ __typename }')],
])('caches store no answer to a document %s', async (_, path) => {
  const { url } = await open()
  expect((await call(url + path)).headers.get('cache-control')).toBe('no-store')
})
