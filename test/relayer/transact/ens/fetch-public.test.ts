import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createPublicFetch,
  FetchRefusedError,
  isPublicAddress,
} from '../../../../relayer/transact/ens/fetch-public.ts'
import { startWebServer } from './start-web-server.ts'

const PUBLIC = '127.0.0.2'
const PRIVATE = '127.0.0.1'
/** Addresses that the tests treat as the public internet. */
const testing = { allowHttp: true, isAllowed: (address: string) => address === PUBLIC }
const bounds = () => ({ maxBytes: 1_000, signal: AbortSignal.timeout(5_000) })
const resolvesTo =
  (...answers: string[][]) =>
  async () =>
    answers.length > 1 ? (answers.shift() ?? []) : (answers[0] ?? [])

describe('whether an address is public:', () => {
  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::1',
    'localhost',
    '',
    '2130706433',
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '2606:4700::1111',
    '2a00::1',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it('an IPv6 address that embeds an IPv4 address is not public', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(isPublicAddress(`::ffff:${address}`)).toBe(false)
        expect(isPublicAddress(`64:ff9b::${address}`)).toBe(false)
      }),
    )
  })
})

describe('a request is refused without a connection for', () => {
  const fetchPublic = createPublicFetch({ lookup: resolvesTo([PRIVATE]) })
  it.each([
    'http://example.org/',
    'ftp://example.org/',
    'file:///etc/passwd',
    'data:application/json,{}',
    'https://user:secret@example.org/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://localhost/',
    'https://looks.public.example/',
    'nonsense',
    `https://example.org/${'x'.repeat(9_000)}`,
  ])('%s', async (url) => {
    await expect(fetchPublic({ url, ...bounds() })).rejects.toThrow(FetchRefusedError)
  })

  it('a host with one private address among public ones, or without any address', async () => {
    for (const answer of [['1.1.1.1', '10.0.0.1'], []]) {
      const mixed = createPublicFetch({ lookup: resolvesTo(answer) })
      await expect(mixed({ url: 'https://example.org/', ...bounds() })).rejects.toThrow(FetchRefusedError)
    }
  })
})

describe('the connection', () => {
  it('goes to the address that was looked up, once, whatever the name resolves to afterwards', async () => {
    await using open = await startWebServer(PUBLIC, (_, response) => response.end('from outside'))
    let lookups = 0
    const fetchPublic = createPublicFetch({
      ...testing,
      // Rebinding: the first answer is public, every later one is not.
      lookup: async () => (lookups++ === 0 ? [PUBLIC] : [PRIVATE]),
    })
    const url = `http://rebinding.example:${open.port}/a`
    expect(await fetchPublic({ url, ...bounds() })).toEqual({ status: 200, text: 'from outside' })
    expect(lookups).toBe(1)
    await expect(fetchPublic({ url, ...bounds() })).rejects.toThrow('not on the public internet')
    expect(open.asked).toEqual(['GET /a'])
  })

  it.each([
    ['an address', (port: number) => `http://${PRIVATE}:${port}/secret`],
    ['a name', (port: number) => `http://inside.example:${port}/secret`],
    ['another spelling', (port: number) => `http://2130706433:${port}/secret`],
    ['a file', () => 'file:///etc/passwd'],
  ])('does not follow a redirect inside: %s', async (_, target) => {
    await using inside = await startWebServer(PRIVATE, (_request, response) => response.end('secret'))
    await using open = await startWebServer(PUBLIC, (_request, response) =>
      response.writeHead(302, { location: target(inside.port) }).end(),
    )
    const fetchPublic = createPublicFetch({
      ...testing,
      lookup: async (host) => [host === 'inside.example' ? PRIVATE : PUBLIC],
    })
    await expect(fetchPublic({ url: `http://open.example:${open.port}/`, ...bounds() })).rejects.toThrow(
      FetchRefusedError,
    )
    expect(inside.asked).toEqual([])
    expect(open.asked).toEqual(['GET /'])
  })

  it('looks a host up again for each redirect', async () => {
    await using open = await startWebServer(PUBLIC, (_, response) =>
      response.writeHead(302, { location: '/again' }).end(),
    )
    const fetchPublic = createPublicFetch({ ...testing, lookup: resolvesTo([PUBLIC], [PRIVATE]) })
    await expect(fetchPublic({ url: `http://a.example:${open.port}/`, ...bounds() })).rejects.toThrow(
      FetchRefusedError,
    )
    expect(open.asked).toEqual(['GET /'])
  })

  it('follows few redirects, and none of a request with a body', async () => {
    await using open = await startWebServer(PUBLIC, (request, response) => {
      const left = Number(request.url?.slice(1))
      if (left === 0) response.end('there')
      else response.writeHead(307, { location: `/${left - 1}` }).end()
    })
    const fetchPublic = createPublicFetch({ ...testing, lookup: resolvesTo([PUBLIC]) })
    const at = (path: string) => ({ url: `http://a.example:${open.port}${path}`, ...bounds() })
    expect(await fetchPublic(at('/3'))).toMatchObject({ text: 'there' })
    await expect(fetchPublic(at('/4'))).rejects.toThrow('redirects')
    await expect(fetchPublic({ ...at('/1'), body: {} })).rejects.toThrow('redirect')
  })

  it('is closed for a huge, an endless or a compressed answer', async () => {
    let written = 0
    await using open = await startWebServer(PUBLIC, (request, response) => {
      if (request.url === '/packed') return response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')
      if (request.url === '/fits') return response.end('x'.repeat(1_000))
      if (request.url === '/over') return response.end('x'.repeat(1_001))
      const chunk = Buffer.alloc(65_536, 120)
      const more = () => {
        while (!response.destroyed && response.write(chunk)) written += chunk.length
        written += chunk.length
      }
      response.on('drain', more)
      return more()
    })
    const fetchPublic = createPublicFetch({ ...testing, lookup: resolvesTo([PUBLIC]) })
    const at = (path: string) => ({ url: `http://a.example:${open.port}${path}`, ...bounds() })
    expect((await fetchPublic(at('/fits'))).text).toHaveLength(1_000)
    for (const path of ['/over', '/endless', '/packed'])
      await expect(fetchPublic(at(path)), path).rejects.toThrow(FetchRefusedError)
    // Two sockets' buffers, and not the whole that the server would have sent.
    expect(written).toBeLessThan(32 * 2 ** 20)
  })

  it('ends with its signal when server or DNS do not answer', async () => {
    await using open = await startWebServer(PUBLIC, (request, response) => {
      if (request.url === '/drip') response.write('x')
    })
    const fetchPublic = createPublicFetch({ ...testing, lookup: resolvesTo([PUBLIC]) })
    const hanging = createPublicFetch({ ...testing, lookup: () => new Promise(() => undefined) })
    const at = (path: string) => ({
      url: `http://a.example:${open.port}${path}`,
      maxBytes: 10,
      signal: AbortSignal.timeout(100),
    })
    await expect(fetchPublic(at('/silent'))).rejects.toThrow(/abort|timeout/i)
    await expect(fetchPublic(at('/drip'))).rejects.toThrow(/abort|timeout/i)
    await expect(hanging(at('/'))).rejects.toThrow(/abort|timeout/i)
  })
})
