import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'

export interface HttpAnswer {
  status: number
  body: string
}

/** Sends requests over connections of its own. */
export interface HttpClient {
  get(path: string): Promise<HttpAnswer>
  /** Sends the body as JSON text, so that nothing is encoded while the clock runs. */
  post(path: string, body: string): Promise<HttpAnswer>
  close(): void
}

/**
 * Opens a client.
 * @param options `keepAlive`: as many connections as concurrent requests; else a new one for each request.
 */
export function openHttpClient(
  baseUrl: string,
  { localAddress, keepAlive = true }: { localAddress?: string | undefined; keepAlive?: boolean } = {},
): HttpClient {
  const agent = new Agent({ keepAlive, ...(localAddress && { localAddress }) })
  const send = (method: string, path: string, body = '') =>
    new Promise<HttpAnswer>((resolve, reject) => {
      const headers = body
        ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
        : {}
      const sent = request(`${baseUrl}${path}`, { method, agent, headers }, (response) => {
        text(response).then((answer) => resolve({ status: response.statusCode ?? 0, body: answer }), reject)
      })
      sent.on('error', reject)
      sent.end(body)
    })
  return {
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    close: () => agent.destroy(),
  }
}
