import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Server, type AddressInfo, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { HttpConfig } from './http-config.ts'
import { keepConnections } from './keep-connections.ts'
import { networkOf } from '../limits/create-rate-limiter.ts'
import { clientAddress } from './client-address.ts'
import { discardBody } from './read-body.ts'
import { refuseConnection, refuseProxied, refuseSurplus } from './refuse-connection.ts'
import { createClientPlaces, shareConnections } from './share-connections.ts'
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
  serve: Serve,
  config: HttpConfig,
  /** Handles WebSockets of `/graphql`. Other requests to upgrade are served as if they asked for none. */
  upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
): Listener {
  let closing = false
  const answering = new Set<ServerResponse>()
  const server = createServer(
    {
      maxHeaderSize: config.maxHeaderSize,
      requestTimeout: config.requestTimeoutMs,
      headersTimeout: Math.min(config.headersTimeoutMs, config.requestTimeoutMs),
      connectionsCheckingInterval: 1_000,
      // One that is sent behind another request would take the connection from that one's answer.
      shouldUpgradeCallback: (request) =>
        upgrade !== undefined && isForSocket(request) && !turns.isBusy(request.socket),
    },
    (request, response) => {
      if (!refused.has(request.socket)) turns.serve(request, response)
    },
  )
  const turns = serveInTurn({
    serve(request, response) {
      if (!hasPlace(request, response)) {
        refuseProxied(response)
        discardBody(request, config.drainLimit)
        return
      }
      if (closing) response.setHeader('connection', 'close')
      else kept.announce(request.socket, response)
      answering.add(response)
      serve(request, response)
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
  // All connections are the proxy's: each request or socket counts for its client as a connection would.
  const places =
    config.trustedProxies === 0
      ? null
      : createClientPlaces(config.maxConnections, config.maxConnectionsPerClient)
  const hasPlace = (request: IncomingMessage, held: ServerResponse | Duplex) =>
    places?.take(networkOf(clientAddress(request, config.trustedProxies)), held) ?? true
  server.on('clientError', refuseConnection)
  if (upgrade)
    server.on('upgrade', (request, socket, head) => {
      if (refused.has(request.socket)) socket.destroy()
      else if (hasPlace(request, socket)) upgrade(request, socket, head)
      else refuseSurplus(socket)
    })

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

const isForSocket = ({ url, headers }: IncomingMessage): boolean =>
  url?.split('?')[0] === '/graphql' && headers.upgrade?.toLowerCase() === 'websocket'

type Serve = (request: IncomingMessage, response: ServerResponse) => void

interface Turns {
  serve: Serve
  /** Called when the answer was handed to the connection, or the connection has ended. */
  onEnd(response: ServerResponse, socket: Socket): void
  /** Requests that may wait on a connection; a further one closes it. */
  mostWaiting: number
  /** Bytes that the headers of waiting requests may have together; they stay in memory until it is their turn. */
  mostBytes: number
}

interface Waiting {
  requests: { begin(): void; bytes: number }[]
  bytes: number
}

/**
 * Serves the requests of a connection one at a time, in their order. node:http emits every request that it finds in
 * received data. One packet of pipelined requests would otherwise start hundreds of answers at once.
 */
function serveInTurn({ serve, onEnd, mostWaiting, mostBytes }: Turns): {
  serve: Serve
  /** Whether a connection has a running request. */
  isBusy(socket: Socket): boolean
} {
  /** The waiting requests of each connection that has a running one. */
  const waiting = new WeakMap<Socket, Waiting>()

  function serveNext(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const begin = () => {
      response.once('close', () => {
        onEnd(response, socket)
        // A client that has disconnected, or got an announcement that the connection ends, gets no further answer.
        const behind = socket.destroyed || !socket.writable ? undefined : waiting.get(socket)
        const next = behind?.requests.shift()
        if (behind && next) {
          behind.bytes -= next.bytes
          next.begin()
        } else waiting.delete(socket)
      })
      serve(request, response)
    }
    const behind = waiting.get(socket)
    if (!behind) {
      waiting.set(socket, { requests: [], bytes: 0 })
      begin()
      return
    }
    const bytes = sizeOf(request)
    if (behind.requests.length < mostWaiting && behind.bytes + bytes <= mostBytes) {
      behind.requests.push({ begin, bytes })
      behind.bytes += bytes
    } else socket.destroy()
  }

  return { serve: serveNext, isBusy: (socket) => waiting.has(socket) }
}

const sizeOf = ({ url = '', rawHeaders }: IncomingMessage) =>
  rawHeaders.reduce((sum, text) => sum + text.length, url.length)
