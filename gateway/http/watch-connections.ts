import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpConfig } from './http-config.ts'

/** How often connections are looked at, in milliseconds. */
const LOOK_MS = 1_000
/** Share of the connections from which on idle ones are closed early. */
const NEARLY_FULL = 0.75

interface Watched {
  /** Bytes that the connection had taken when it last took any. */
  taken: number
  /** When that was, by performance.now(). */
  movedAt: number
  /** Since when it has no request in hand; null while it has one. */
  idleSince: number | null
}

/** Is told when a connection has a request in hand, and when it has none any more. */
export interface ConnectionWatch {
  begin(socket: Socket): void
  end(socket: Socket): void
  /** Closes connections over which nothing was sent yet: node:http takes each for one whose request is on its way. */
  closeUnused(): void
}

/**
 * Closes connections that are of no use to anybody: those whose client takes nothing of an answer for
 * `writeTimeoutMs`, and while three quarters of all connections are taken, those that are idle for
 * `busyKeepAliveMs`. node:http has no limit for the former, and one for all times for the latter.
 */
export function watchConnections(
  server: Server,
  config: Pick<HttpConfig, 'maxConnections' | 'writeTimeoutMs' | 'busyKeepAliveMs'>,
): ConnectionWatch {
  const open = new Map<Socket, Watched>()
  server.on('connection', (socket) => {
    open.set(socket, { taken: 0, movedAt: performance.now(), idleSince: null })
    socket.once('close', () => open.delete(socket))
  })

  function look(): void {
    const now = performance.now()
    const isNearlyFull = open.size >= config.maxConnections * NEARLY_FULL
    for (const [socket, watched] of open) {
      const taken = socket.bytesWritten - socket.writableLength
      const owes = socket.writableLength > 0 || socket.writableEnded
      if (!owes || taken !== watched.taken) {
        watched.taken = taken
        watched.movedAt = now
      } else if (now - watched.movedAt >= config.writeTimeoutMs) {
        socket.destroy()
        continue
      }
      const { idleSince } = watched
      if (isNearlyFull && !owes && idleSince !== null && now - idleSince >= config.busyKeepAliveMs)
        socket.destroy()
    }
  }
  const timer = setInterval(look, LOOK_MS).unref()
  server.once('close', () => clearInterval(timer))

  const note = (socket: Socket, idleSince: number | null) => {
    const watched = open.get(socket)
    if (watched) watched.idleSince = idleSince
  }
  return {
    begin: (socket) => note(socket, null),
    end: (socket) => note(socket, performance.now()),
    closeUnused() {
      for (const socket of open.keys()) if (socket.bytesRead === 0) socket.destroy()
    },
  }
}
