import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Serve = (request: IncomingMessage, response: ServerResponse) => void

export interface Turns {
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
export function serveInTurn({ serve, onEnd, mostWaiting, mostBytes }: Turns): Serve {
  /** The waiting requests of each connection that has a running one. */
  const waiting = new WeakMap<Socket, Waiting>()

  return (request, response) => {
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
}

const sizeOf = ({ url = '', rawHeaders }: IncomingMessage) =>
  rawHeaders.reduce((sum, text) => sum + text.length, url.length)
