import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HttpConfig } from './http-config.ts'
import { refuseConnection } from './refuse-connection.ts'
import { serveInTurn } from './serve-in-turn.ts'
import { shareConnections } from './share-connections.ts'
import { watchConnections } from './watch-connections.ts'

export interface Listener {
  listen(port: number, host: string): Promise<{ url: string }>
  /**
   * Accepts no new connections, waits at most `graceMs` for running requests, then closes the remaining connections.
   */
  close(graceMs: number): Promise<void>
}

/** A node:http server with limits against slow clients and against clients that take too much. */
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
      keepAliveTimeout: config.keepAliveTimeoutMs,
      connectionsCheckingInterval: 1_000,
    },
    serveInTurn({
      serve(request, response) {
        if (closing) response.setHeader('connection', 'close')
        answering.add(response)
        watch.begin(request.socket)
        void serve(request, response)
      },
      onEnd(response, socket) {
        answering.delete(response)
        watch.end(socket)
        // The head of a stream was sent before the shutdown began, so its connection would stay open idle.
        if (closing) setImmediate(() => server.closeIdleConnections())
      },
      mostWaiting: config.maxPipelined,
      mostBytes: config.maxHeaderSize,
    }),
  )
  const watch = watchConnections(server, config)
  server.maxConnections = config.maxConnections
  if (config.trustedProxies === 0)
    shareConnections(server, config.maxConnections, config.maxConnectionsPerClient)
  server.on('clientError', refuseConnection)

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.off('error', reject)
          const bound = server.address() as AddressInfo
          const name = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address
          const reachable = name === '0.0.0.0' || name === '[::]' ? '127.0.0.1' : name
          resolve({ url: `http://${reachable}:${bound.port}` })
        })
      }),
    close(graceMs) {
      closing = true
      for (const response of answering) if (!response.headersSent) response.setHeader('connection', 'close')
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
      watch.closeUnused()
      const timer = setTimeout(() => server.closeAllConnections(), graceMs)
      return closed.finally(() => clearTimeout(timer))
    },
  }
}
