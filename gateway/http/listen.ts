import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Server, type AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { HttpConfig } from './http-config.ts'
import { keepConnections } from './keep-connections.ts'
import { refuseConnection } from './refuse-connection.ts'
import { serveInTurn } from './serve-in-turn.ts'
import { shareConnections } from './share-connections.ts'
import { watchConnections } from './watch-connections.ts'

/** Rounds of the event loop that it takes to read a request that arrived before the closing began. */
const TURNS_TO_READ = 2

export interface Listener {
  listen(port: number, host: string): Promise<{ url: string }>
  /**
   * Accepts no new connections, answers requests that have arrived, and waits at most `graceMs` for running ones. Then
   * it closes the remaining connections.
   */
  close(graceMs: number): Promise<void>
}

/** A node:http server with limits against slow clients and against clients that use too much. */
export function createListener(
  serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  config: HttpConfig,
): Listener {
  let closing = false
  const answering = new Set<ServerResponse>()
  const server = createServer(
    {
      maxHeaderSize: config.maxHeaderSize,
      requestTimeout: config.requestTimeoutMs,
      headersTimeout: Math.min(config.headersTimeoutMs, config.requestTimeoutMs),
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      if (!refused.has(request.socket)) serveNext(request, response)
    },
  )
  const serveNext = serveInTurn({
    serve(request, response) {
      if (closing) response.setHeader('connection', 'close')
      else kept.announce(request.socket, response)
      answering.add(response)
      void serve(request, response)
    },
    onEnd(response, socket) {
      answering.delete(response)
      kept.keep(socket)
      // The head of a stream was sent before the shutdown began, so its connection would stay open idle.
      if (closing) setImmediate(() => server.closeIdleConnections())
    },
    mostWaiting: config.maxPipelined,
    mostBytes: config.maxHeaderSize,
  })
  const watch = watchConnections(server, config)
  const kept = keepConnections(server, config)
  server.maxConnections = config.maxConnections
  const refused =
    config.trustedProxies === 0
      ? shareConnections(server, config.maxConnections, config.maxConnectionsPerClient)
      : new WeakSet()
  server.on('clientError', refuseConnection)

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        // As many may arrive at once; Node's default of 511 left a burst of a thousand to the clients' retries.
        server.listen({ port, host, backlog: config.maxConnections }, () => {
          server.off('error', reject)
          const bound = server.address() as AddressInfo
          const name = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address
          const reachable = name === '0.0.0.0' || name === '[::]' ? '127.0.0.1' : name
          resolve({ url: `http://${reachable}:${bound.port}` })
        })
      }),
    async close(graceMs) {
      closing = true
      for (const response of answering) if (!response.headersSent) response.setHeader('connection', 'close')
      const closed = new Promise<void>((resolve) => {
        // Stops only accepting: node:http would also close connections whose request waits in the kernel.
        Server.prototype.close.call(server, () => resolve())
      })
      for (let turn = 0; turn < TURNS_TO_READ; turn += 1) await nextTurn()
      server.close()
      watch.closeUnused()
      const timer = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed.finally(() => clearTimeout(timer))
    },
  }
}
