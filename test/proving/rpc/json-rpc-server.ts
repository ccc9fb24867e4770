import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Asked {
  path: string
  headers: IncomingMessage['headers']
  body: string
  /** How many requests came over this connection before. */
  earlier: number
}

/** Answers one request; `asked` is the request. */
export type Answering = (asked: Asked, response: ServerResponse) => void | Promise<void>

/** A server with a given answer, which records requests and the number of connections. */
export async function startRpcServer(answering: Answering, host = '127.0.0.1') {
  const asked: Asked[] = []
  const requestsOf = new WeakMap<object, number>()
  let connections = 0
  const server = createServer((request, response) => {
    void (async () => {
      const body = Buffer.concat((await request.toArray()) as Buffer[]).toString()
      const earlier = requestsOf.get(request.socket) ?? 0
      requestsOf.set(request.socket, earlier + 1)
      const now = { path: request.url ?? '', headers: request.headers, body, earlier }
      asked.push(now)
      await answering(now, response)
    })().catch(() => response.destroy())
  })
  // A connection is then only closed by the client or by the test.
  server.keepAliveTimeout = 0
  server.on('connection', () => (connections += 1))
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    asked,
    connections: () => connections,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The answer to a body: each message gets the given result, as a batch if the body was one. */
export function answerWith(body: string, result: unknown): string {
  const asked = JSON.parse(body) as { id: number } | { id: number }[]
  const toAnswer = ({ id }: { id: number }) => ({ jsonrpc: '2.0', id, result })
  return JSON.stringify(Array.isArray(asked) ? asked.map(toAnswer) : toAnswer(asked))
}
