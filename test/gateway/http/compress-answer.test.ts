import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { openGateway } from '../open-gateway.ts'
import { openConnection, rawPost } from '../../harness/raw-connection.ts'

const LONG = JSON.stringify({ query: '{ __schema { types { name description } } }' })
const SHORT = JSON.stringify({ query: '{ __typename }' })

/** The answer to a document as it is on the wire: `fetch` would decode it. */
async function ask(url: string, body: string, accepted: string | null) {
  const connection = await openConnection(url)
  connection.send(rawPost('/graphql', body, accepted === null ? '' : `accept-encoding: ${accepted}\r\n`))
  const { head, body: written } = await connection.answer()
  connection.socket.destroy()
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim()
  return { encoding: header('content-encoding'), vary: header('vary'), bytes: Buffer.from(written, 'latin1') }
}

it.each([
  ['br, gzip', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['*', 'br'],
])('an answer over 1 KB to a client that accepts "%s" is sent as %s', async (accepted, encoding) => {
  const { url } = await openGateway()
  const [plain, packed] = [await ask(url, LONG, null), await ask(url, LONG, accepted)]
  expect(packed.encoding).toBe(encoding)
  expect(packed.vary).toBe('accept-encoding, origin')
  const text = encoding === 'br' ? brotliDecompressSync(packed.bytes) : gunzipSync(packed.bytes)
  expect(text.toString()).toBe(plain.bytes.toString())
  expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 3)
})

it.each([null, 'identity', 'deflate, zstd', 'br;q=0', 'nonsense;q=x'])(
  'an answer to a client that accepts %j is sent as it is',
  async (accepted) => {
    const { url } = await openGateway()
    const answer = await ask(url, LONG, accepted)
    expect(answer.encoding).toBeUndefined()
    expect(JSON.parse(answer.bytes.toString())).toHaveProperty('data')
  },
)

it('a short answer, and any answer of a gateway that leaves it to a proxy, is sent as it is', async () => {
  const [gateway, behindProxy] = [await openGateway(), await openGateway({ compress: false })]
  for (const [url, body] of [
    [gateway.url, SHORT],
    [behindProxy.url, LONG],
  ] as const)
    expect((await ask(url, body, 'br')).encoding).toBeUndefined()
})

it('HEAD announces the length that GET has', async () => {
  const { url } = await openGateway()
  const headers = { 'accept-encoding': 'gzip' }
  const path = `${url}/graphql?query=${encodeURIComponent('{ __schema { types { name description } } }')}`
  const [head, get] = [await fetch(path, { method: 'HEAD', headers }), await fetch(path, { headers })]
  expect(head.headers.get('content-encoding')).toBe('gzip')
  expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
})
