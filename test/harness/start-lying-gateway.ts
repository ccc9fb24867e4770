import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createQuoteForger } from './create-quote-forger.ts'

/** A gateway in front of the service that answers quotes as it likes, and signs them with a key of its own. */
export interface LyingGateway {
  url: string
  /** Changes the quotes to come, signed again; null passes them on. A known question is not asked again. */
  tell(lie: ((quote: never) => object) | null): void
  /** Changes answers to GET and answers at other paths, by their path; null passes them on. */
  pretend(lie: { path: RegExp; answer: (honest: never) => unknown } | null): void
  /** Submissions that reached it, by a client that believed the lie. While it lies, it does not forward them. */
  believed(): number
  /** The requests that reached it, in order. */
  readonly requests: readonly { method: string; path: string; body: string }[]
  stop(): Promise<void>
}

/** Paths of quotes of every kind. The relayer's quotes have no such signature. */
const isQuote = (url: string) => /\/accounts\/.*\/(?:quote|refresh|prepare|withdraw)$/.test(url)

/** Starts one before the service at this URL; it passes quotes on unchanged until `tell` sets a lie. */
export async function startLyingGateway(serviceUrl: string): Promise<LyingGateway> {
  const forger = createQuoteForger()
  let lie: ((quote: never) => object) | null = null
  /** The service's last answer to the same question: quotes are limited, lies are not. */
  const honest = new Map<string, string>()
  let other: { path: RegExp; answer: (honest: never) => unknown } | null = null
  let submissions = 0
  const requests: { method: string; path: string; body: string }[] = []

  async function answer(request: IncomingMessage, body: string): Promise<{ status: number; text: string }> {
    const { url = '', method = 'GET', headers } = request
    requests.push({ method, path: url, body })
    const isLying = lie !== null || other !== null
    if (/\/(?:submit|relayer\/request)$/.test(url)) {
      submissions += 1
      if (isLying) return { status: 503, text: '{"error":"believed"}' }
    }
    if (url.endsWith('/quote-signer-public-key')) return { status: 200, text: JSON.stringify(forger.key) }
    const question = `${method} ${url} ${body}`
    const told = isLying && honest.get(question)
    const named = ['authorization', 'content-type', 'idempotency-key'].map((name) => [name, headers[name]])
    const given = named.filter((pair): pair is [string, string] => typeof pair[1] === 'string')
    const asked = async () => {
      const options = { method, headers: Object.fromEntries(given), ...(body && { body }) }
      const response = await fetch(`${serviceUrl}${url}`, options)
      return { status: response.status, text: await response.text() }
    }
    const { status, text } = told ? { status: 200, text: told } : await asked()
    if (status >= 300) return { status, text }
    if (method === 'GET' || isQuote(url)) honest.set(question, text)
    if (other?.path.test(url))
      return { status, text: JSON.stringify(other.answer(JSON.parse(text) as never)) }
    if (!isQuote(url)) return { status, text }
    const quote = JSON.parse(text) as never
    return { status, text: JSON.stringify(forger.sign(lie ? lie(quote) : quote)) }
  }
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const { status, text } = await answer(request, Buffer.concat(chunks).toString())
      response.writeHead(status, { 'content-type': 'application/json' }).end(text)
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tell(told) {
      lie = told
    },
    pretend(pretended) {
      other = pretended
    },
    believed: () => submissions,
    requests,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
