import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface LossyDoor {
  url: string
  close(): Promise<void>
}

/**
 * Starts a proxy before a node that forwards every request, but loses the answer to each transaction that is sent.
 */
export async function loseAnswers(target: string): Promise<LossyDoor> {
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const body = await buffer(incoming)
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(target, { method: 'POST', headers, body })
      const text = await answer.text()
      if (body.includes('eth_sendRawTransaction')) outgoing.destroy()
      else outgoing.writeHead(answer.status, headers).end(text)
    })().catch(() => outgoing.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
