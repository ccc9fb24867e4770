import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { privateKeyToAccount } from 'viem/accounts'

type Hex = `0x${string}`

/** The signer's reaction to a request, given the right signature. */
export type Behaviour = (signature: Hex, response: ServerResponse, request: IncomingMessage) => void

export interface TestSigner {
  url: string
  /** Methods asked for so far. */
  asked: string[]
  behave(behaviour: Behaviour): void
  /** Listens on the same port again after `stop`. */
  start(): Promise<void>
  stop(): Promise<void>
}

export const answer = (response: ServerResponse, body: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

export const honest: Behaviour = (signature, response) =>
  void answer(response, { jsonrpc: '2.0', id: 1, result: signature })

/** A signer of one key that speaks the protocol: JSON-RPC over HTTP, typed data in, signature out. */
export async function startSigner(privateKey: Hex): Promise<TestSigner> {
  const account = privateKeyToAccount(privateKey)
  const asked: string[] = []
  let behaviour = honest
  let port = 0

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, params } = (await json(request)) as { method: string; params: [string, unknown] }
    asked.push(method)
    const [address, data] = params
    if (address.toLowerCase() !== account.address.toLowerCase())
      return void answer(response, {
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32_000, message: 'no such key' },
      })
    const typed: unknown = typeof data === 'string' ? JSON.parse(data) : data
    behaviour(
      await account.signTypedData(typed as Parameters<typeof account.signTypedData>[0]),
      response,
      request,
    )
  }
  const listen = async () => {
    const server = createServer((request, response) => void serve(request, response)).listen(
      port,
      '127.0.0.1',
    )
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
    return server
  }
  let server = await listen()

  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    behave(next) {
      behaviour = next
    },
    async start() {
      server = await listen()
    },
    async stop() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
