import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RefusingDoor {
  url: string
  /** Bytes that were answered since the last call. */
  takeBytes(): number
  /** Calls whose JSON contains this text are refused as too large an answer; null ends it. */
  refuse(text: string | null): void
  close(): Promise<void>
}

/** Starts a proxy before a node. It counts the answered bytes, and refuses some calls as nodes refuse long answers. */
export async function startRefusingDoor(target: string): Promise<RefusingDoor> {
  let bytes = 0
  let refused: string | null = null
  const server = createServer((incoming, outgoing) => {
    const pass = async () => {
      const body = JSON.parse(Buffer.concat((await incoming.toArray()) as Buffer[]).toString()) as unknown
      const calls = [body].flat() as { id: number }[]
      const isRefused = (call: { id: number }) =>
        refused !== null && JSON.stringify(call).toLowerCase().includes(refused.toLowerCase())
      const passed = calls.filter((call) => !isRefused(call))
      const headers = { 'content-type': 'application/json' }
      const answers =
        passed.length > 0
          ? ((await (
              await fetch(target, { method: 'POST', headers, body: JSON.stringify(passed) })
            ).json()) as unknown[])
          : []
      const error = { code: -32_000, message: 'response size exceeded' }
      const all = [...answers, ...calls.filter(isRefused).map(({ id }) => ({ jsonrpc: '2.0', id, error }))]
      const text = JSON.stringify(Array.isArray(body) ? all : all[0])
      bytes += text.length
      outgoing.writeHead(200, headers).end(text)
    }
    pass().catch(() => outgoing.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takeBytes() {
      const taken = bytes
      bytes = 0
      return taken
    },
    refuse: (text) => (refused = text),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
