import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './is-public-address.ts'
import { orAborted } from '../../concurrency/run-contained.ts'
import { resolveHost } from './resolve-host.ts'

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
