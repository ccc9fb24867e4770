import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpConfig } from './http-config.ts'

/** Interval of checks of the connections, in milliseconds. */
const LOOK_MS = 1_000

interface Watched {
  /** Bytes read by the client at its last read. */
  taken: number
  /** Time of its last read, by performance.now(). */
  movedAt: number
  /** Start of its unread answer, and bytes read by then; null while nothing is unread. */
  owing: { since: number; taken: number } | null
}

/** The watch over connections. */
export interface ConnectionWatch {
  /**
   * Closes connections on which the client has sent nothing yet; node:http counts each as one whose request is
   * arriving.
   */
  closeUnused(): void
}

/**
 * Closes connections whose client reads nothing of an answer for `writeTimeoutMs`, or less than `leastBytesPerSecond` in that
 * time; node:http has no limit for that.
 */
export function watchConnections(server: Server, config: HttpConfig): ConnectionWatch {
  const open = new Map<Socket, Watched>()
  server.on('connection', (socket) => {
    open.set(socket, { taken: 0, movedAt: performance.now(), owing: null })
    socket.once('close', () => open.delete(socket))
  })

  /** Judges consecutive windows of `writeTimeoutMs` in which the client always had unread data. */
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
      if (isTooSlow(watched, owes, now)) socket.destroy()
    }
  }
  const timer = setInterval(look, LOOK_MS).unref()
  server.once('close', () => clearInterval(timer))

  return {
    closeUnused() {
      for (const socket of open.keys()) if (socket.bytesRead === 0) socket.destroy()
    },
  }
}
