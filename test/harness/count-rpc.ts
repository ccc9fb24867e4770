import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One round trip. */
export interface TimedBody {
  at: number
  body: string
}

export interface RpcCounter {
  url: string
  /** Method names of each round trip since the last call; a batch is one round trip. */
  take(): string[][]
  /** The body of each round trip since the last call. */
  takeBodies(): string[]
  /** The same with the time at which each came, in milliseconds since 1970. */
  takeTimed(): TimedBody[]
  close(): Promise<void>
}

/** Starts a proxy before a node that forwards everything and records each round trip. */
export async function countRpc(target: string): Promise<RpcCounter> {
  let trips: string[][] = []
  let bodies: TimedBody[] = []
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = Buffer.concat(chunks)
      const calls = [JSON.parse(body.toString())].flat() as { method: string }[]
      bodies.push({ at: Date.now(), body: body.toString() })
      trips.push(calls.map(({ method }) => method))
      const headers = { 'content-type': 'application/json', 'content-length': body.length }
      const forwarded = send(target, { method: 'POST', headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      })
      forwarded.on('error', () => outgoing.destroy())
      forwarded.end(body)
    })
  })
  function takeTimed(): TimedBody[] {
    const taken = bodies
    bodies = []
    return taken
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const taken = trips
      trips = []
      return taken
    },
    takeBodies: () => takeTimed().map(({ body }) => body),
    takeTimed,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
