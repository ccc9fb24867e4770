import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface RpcMessage {
  id: number
  method: string
  params: unknown[]
}

/** Answers a message instead of the node, or forwards it. */
export type Doorkeeper = (
  message: RpcMessage,
) => { error: { code: number; message: string; data?: unknown } } | { result: unknown } | null

/**
 * Starts a proxy before a node that refuses requests by its keeper's decision, as gateways of hosted nodes do. It
 * counts round trips.
 */
export async function startNodeDoor(target: string, keeper: Doorkeeper = () => null) {
  const trips: string[][] = []
  async function answer(message: RpcMessage): Promise<unknown> {
    const refusal = keeper(message)
    if (refusal) return { jsonrpc: '2.0', id: message.id, ...refusal }
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(target, { method: 'POST', headers, body: JSON.stringify(message) })
    return response.json()
  }
  const server = createServer((request, response) => {
    void (async () => {
      const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as RpcMessage | RpcMessage[]
      const messages = [body].flat()
      trips.push(messages.map(({ method }) => method))
      const answers = await Promise.all(messages.map(answer))
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]))
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Methods of each round trip so far. */
    trips,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export const methodMissing = { error: { code: -32601, message: 'Method not found' } }
