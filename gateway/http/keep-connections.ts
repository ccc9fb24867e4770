import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpConfig } from './http-config.ts'

/** Share of the allowed connections above which idle ones are kept less long. */
const NEARLY_FULL = 0.75
/**
 * An idle connection is kept so much longer than its client was promised, because a request that was sent in time may still be on
 * its way, or wait in the kernel while the process is busy. Milliseconds.
 */
const MARGIN_MS = 5_000

/** Decides with each answer how long its connection is kept after it. */
export interface KeptConnections {
  /** Before the answer: promises a time in its headers. */
  announce(socket: Socket, response: ServerResponse): void
  /** After the answer: keeps the connection for that time and a margin, unless a request is there already. */
  keep(socket: Socket): void
}

/**
 * Ends idle connections, never sooner than their clients were promised: after `keepAliveTimeoutMs`, or after `busyKeepAliveMs` if
 * three quarters of all connections were in use at the last answer. A time below a second is announced as the end of the
 * connection. Each byte of a next request starts the clock anew, and its whole head stops it (node:http).
 */
export function keepConnections(
  server: Server,
  config: Pick<HttpConfig, 'maxConnections' | 'keepAliveTimeoutMs' | 'busyKeepAliveMs'>,
): KeptConnections {
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
      // node:http has set its time if nothing of a next request was there.
      if (socket.timeout) socket.setTimeout((promises.get(socket) ?? 0) + MARGIN_MS)
    },
  }
}
