import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction, BlockList, isIPv4, isIPv6 } from 'node:net'
import { orAborted } from '../../concurrency/run-contained.ts'
import { Resolver } from 'node:dns/promises'

const MAX_REDIRECTS = 3
const MAX_URL = 8_192

/** Thrown for a URL that the service refuses to fetch, and for a response that it refuses to read. */
export class FetchRefusedError extends Error {
  override name = 'FetchRefusedError'
}

/** Limits on which hosts a public fetch may reach. The defaults allow https to the public internet only. */
export interface PublicFetchOptions {
  /** Allows plain http besides https. */
  allowHttp?: boolean
  /** True for IP addresses that may be reached; by default those of the public internet. */
  isAllowed?: (address: string) => boolean
  /** Returns the IP addresses of a host; DNS unless given. */
  lookup?: (host: string) => Promise<readonly string[]>
}

/** A request to a URL that a stranger chose, with its limits. */
export interface PublicRequest {
  url: string
  /** Sent as JSON by POST; without it the request is a GET. */
  body?: unknown
  /** Most bytes of the response body. */
  maxBytes: number
  /** Aborts the whole request, redirects and DNS included. */
  signal: AbortSignal
}

/** Status of the response, and its body as text. */
export interface PublicAnswer {
  status: number
  text: string
}

/** Fetches from a URL that a stranger chose. */
export type PublicFetch = (request: PublicRequest) => Promise<PublicAnswer>

/**
 * Creates a fetch for URLs that strangers choose. Each hop, redirects included, is looked up once, and
 * refused unless every address of the host is allowed. The connection then goes to those addresses only, so a
 * second DNS answer changes nothing. No cookies, credentials or compression; body, time and redirects are
 * bounded.
 * @throws FetchRefusedError, or the error of the connection or the signal.
 */
export function createPublicFetch(options: PublicFetchOptions = {}): PublicFetch {
  const { allowHttp = false, isAllowed = isPublicAddress, lookup = (host) => resolveHost(host) } = options

  async function pinHost(url: URL, signal: AbortSignal): Promise<LookupFunction> {
    const isWeb = url.protocol === 'https:' || (allowHttp && url.protocol === 'http:')
    if (!isWeb) throw new FetchRefusedError(`refused: ${url.protocol} is not a protocol that we ask`)
    if (url.username || url.password) throw new FetchRefusedError('refused: the address carries credentials')
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const addresses = isIP(host) ? [host] : await orAborted(lookup(host), signal)
    const allAllowed = addresses.length > 0 && addresses.every((address) => isAllowed(address))
    if (!allAllowed) throw new FetchRefusedError('refused: the host is not on the public internet')
    const pinned = addresses.map((address) => ({ address, family: isIP(address) }))
    return (_host, { all }, done) =>
      all ? done(null, pinned) : done(null, pinned[0]?.address ?? '', pinned[0]?.family)
  }

  return async ({ url: text, body, maxBytes, signal }) => {
    let url = parseUrl(text)
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      signal.throwIfAborted()
      const answer = await ask(url, await pinHost(url, signal), body, signal)
      const { location } = answer.headers
      const status = answer.statusCode ?? 0
      if (status < 300 || status >= 400 || location === undefined)
        return { status, text: await readText(answer, maxBytes) }
      answer.destroy()
      if (body !== undefined) throw new FetchRefusedError('refused: a redirect of something that we sent')
      url = parseUrl(location, url)
    }
    throw new FetchRefusedError(`refused: more than ${MAX_REDIRECTS} redirects`)
  }
}

function parseUrl(text: string, base?: URL): URL {
  const url = text.length <= MAX_URL ? URL.parse(text, base) : null
  if (!url) throw new FetchRefusedError('refused: not an address that we can read')
  return url
}

function ask(url: URL, lookup: LookupFunction, body: unknown, signal: AbortSignal): Promise<IncomingMessage> {
  const content = body === undefined ? null : JSON.stringify(body)
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      {
        method: content === null ? 'GET' : 'POST',
        headers: {
          accept: 'application/json',
          ...(content !== null && { 'content-type': 'application/json' }),
        },
        // Uses a new connection: a kept-alive one may belong to another lookup of the host.
        agent: false,
        lookup,
        signal,
      },
      resolve,
    )
    asked.on('error', reject)
    asked.end(content ?? undefined)
  })
}

async function readText(answer: IncomingMessage, maxBytes: number): Promise<string> {
  // A small compressed body may expand to a large one.
  if (answer.headers['content-encoding'] !== undefined) {
    answer.destroy()
    throw new FetchRefusedError('refused: the answer is compressed')
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    // Leaving the loop destroys the connection.
    if (size > maxBytes) throw new FetchRefusedError(`refused: the answer is larger than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

const TRY_MS = 1_000
const TRIES = 2

/**
 * Resolves a host that a stranger chose, by DNS only. The system's resolver would occupy one of the few threads on
 * which signatures are checked for as long as the stranger's name server is silent.
 *
 * @param servers Name servers as `host:port`; the system's unless given.
 * @throws Error when the host has no address, or no server answers in time.
 */
export async function resolveHost(host: string, servers?: readonly string[]): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
  if (servers) resolver.setServers(servers)
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const [first] = answers
  if (addresses.length === 0 && first.status === 'rejected') throw first.reason
  return addresses
}

/** IPv4 networks that IANA's special-purpose registry excludes from the public internet, and multicast. */
const SPECIAL_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local; cloud metadata services that serve credentials are here.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
/** IPv6 networks inside the only public range that are not public, or that embed an IPv4 address. */
const SPECIAL_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const specialV4 = new BlockList()
for (const [network, prefix] of SPECIAL_V4) specialV4.addSubnet(network, prefix, 'ipv4')
const specialV6 = new BlockList()
for (const [network, prefix] of SPECIAL_V6) specialV6.addSubnet(network, prefix, 'ipv6')
const globalV6 = new BlockList()
globalV6.addSubnet('2000::', 3, 'ipv6')

/** True if an IP address is public: not local, not private, not a cloud's metadata service. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialV4.check(address, 'ipv4')
  // A zone (fe80::1%eth0) names a link; no public address has one.
  if (!isIPv6(address) || address.includes('%')) return false
  return globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6')
}
