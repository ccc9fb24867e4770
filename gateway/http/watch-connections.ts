import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpConfig } from './http-config.ts'

/** How often connections are checked, in milliseconds. */
const LOOK_MS = 1_000
/** Share of the allowed connections above which idle ones are closed early. */
const NEARLY_FULL = 0.75

interface Watched {
  /** Bytes that the client had read when it last read any. */
  taken: number
  /** Time of that, by performance.now(). */
  movedAt: number
  /** Since when it has something to read, and how much it had read then; null while it has nothing. */
  owing: { since: number; taken: number } | null
  /** Since when the connection has no running request; null while it has one. */
  idleSince: number | null
}

/** Is notified when a request begins on a connection, and when its last one has ended. */
export interface ConnectionWatch {
  begin(socket: Socket): void
  end(socket: Socket): void
  /**
   * Closes connections on which the client has sent nothing yet; node:http counts each as one whose request is
   * arriving.
   */
  closeUnused(): void
}

/**
 * Closes three kinds of connections: those whose client reads nothing of an answer for `writeTimeoutMs`, those whose client reads
 * less than `leastBytesPerSecond` in that time, and, while three quarters of all connections are in use, those that are idle for
 * `busyKeepAliveMs`. node:http has no limit for the former and only one fixed limit for the latter.
 */
export function watchConnections(
  server: Server,
  config: Pick<HttpConfig, 'maxConnections' | 'writeTimeoutMs' | 'leastBytesPerSecond' | 'busyKeepAliveMs'>,
): ConnectionWatch {
  const open = new Map<Socket, Watched>()
  server.on('connection', (socket) => {
    open.set(socket, { taken: 0, movedAt: performance.now(), owing: null, idleSince: null })
    socket.once('close', () => open.delete(socket))
  })

  /** Looks at one window of `writeTimeoutMs` after the other, of those that owe something all the time. */
  function isTooSlow(watched: Watched, owes: boolean, now: number): boolean {
    const { owing, taken } = watched
    if (!owes) watched.owing = null
    else if (!owing) watched.owing = { since: now, taken }
    else if (now - owing.since >= config.writeTimeoutMs) {
      watched.owing = { since: now, taken }
      return (taken - owing.taken) / ((now - owing.since) / 1_000) < config.leastBytesPerSecond
    }
    return false
  }

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
      if (isTooSlow(watched, owes, now)) {
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
