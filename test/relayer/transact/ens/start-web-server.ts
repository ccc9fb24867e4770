import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface WebServer extends AsyncDisposable {
  port: number
  /** Paths that were asked for. */
  asked: string[]
}

/** A server on a loopback address of its own; the tests call some of them public and others private. */
export async function startWebServer(address: string, listener: RequestListener): Promise<WebServer> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    listener(request, response)
  }).listen(0, address)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
