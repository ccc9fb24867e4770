import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy before a node that limits the calls in one request, as erigon does. */
export interface BatchLimitDoor {
  url: string
  /** The sizes of the batches that were refused. */
  refused: number[]
  /** The largest batch that was answered. */
  largest(): number
  close(): Promise<void>
}

/** Starts it. A larger batch gets one error object, without an array (erigontech/erigon#17245). */
export async function startBatchLimitDoor(target: string, most: number): Promise<BatchLimitDoor> {
  const refused: number[] = []
  let largest = 0
  async function answer(text: string): Promise<string> {
    const body = JSON.parse(text) as unknown
    const size = Array.isArray(body) ? body.length : 1
    if (size > most) {
      refused.push(size)
      const message = `batch limit ${most} exceeded (can increase by --rpc.batch.limit). Requested batch of size: ${size}`
      return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_000, message } })
    }
    largest = Math.max(largest, size)
    const headers = { 'content-type': 'application/json' }
    return (await fetch(target, { method: 'POST', headers, body: text })).text()
  }
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const text = Buffer.concat((await incoming.toArray()) as Buffer[]).toString()
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(await answer(text))
    })().catch(() => outgoing.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused,
    largest: () => largest,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
