import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Door {
  url: string
  /** Methods that fail from now on, as behind a gateway whose node is down; `all` cuts every connection. */
  shut(methods: readonly string[] | 'all'): void
  open(): void
  close(): Promise<void>
}

/** A door before a node that can be shut. */
export async function startDoor(target: string): Promise<Door> {
  let blocked: readonly string[] | 'all' = []
  const server = createServer((incoming, outgoing) => {
    if (blocked === 'all') return void incoming.socket.destroy()
    void incoming.toArray().then((chunks: Buffer[]) => {
      const body = Buffer.concat(chunks)
      const calls = [JSON.parse(body.toString())].flat() as { method: string }[]
      if (calls.some(({ method }) => blocked.includes(method))) return void outgoing.writeHead(502).end()
      const headers = { 'content-type': 'application/json', 'content-length': body.length }
      const forwarded = send(target, { method: 'POST', headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      })
      forwarded.on('error', () => outgoing.destroy())
      forwarded.end(body)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shut: (methods) => (blocked = methods),
    open: () => (blocked = []),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
