import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpConfig } from './http-config.ts'

/** Share of the allowed connections above which idle ones are closed sooner. */
const NEARLY_FULL = 0.75
/**
 * Margin beyond the time promised to the client, in milliseconds. A request sent in time may still be on its way, or
 * wait in the kernel while the process is busy.
 */
const MARGIN_MS = 5_000

/** Decides at each answer how long its connection stays open. */
export interface KeptConnections {
  /** Before the answer: announces a time in its headers. */
  announce(socket: Socket, response: ServerResponse): void
  /** After the answer: keeps the connection open for that time and a margin, unless a request has already arrived. */
  keep(socket: Socket): void
}

/**
 * Closes idle connections, never sooner than announced: after `keepAliveTimeoutMs`, or after `busyKeepAliveMs` if three
 * quarters of all connections were in use at the last answer. For a time below a second, it announces the end of the
 * connection. Each byte of a next request restarts the timer, and its complete head stops it (node:http).
 */
export function keepConnections(server: Server, config: HttpConfig): KeptConnections {
  const promises = new WeakMap<Socket, number>()
  let open = 0
  server.on('connection', (socket) => {
    open += 1
    socket.once('close', () => (open -= 1))
  })
  server.keepAliveTimeout = Math.max(config.keepAliveTimeoutMs, config.busyKeepAliveMs) + MARGIN_MS

  return {
    announce(socket, response) {
      if (!response.shouldKeepAlive) return
      const isNearlyFull = open >= config.maxConnections * NEARLY_FULL
      const seconds = Math.floor((isNearlyFull ? config.busyKeepAliveMs : config.keepAliveTimeoutMs) / 1_000)
      promises.set(socket, seconds * 1_000)
      if (seconds > 0) response.setHeader('keep-alive', `timeout=${seconds}`)
      else response.setHeader('connection', 'close')
    },
    keep(socket) {
      // node:http has set its timeout if no bytes of a next request had arrived.
      if (socket.timeout) socket.setTimeout((promises.get(socket) ?? 0) + MARGIN_MS)
    },
  }
}
