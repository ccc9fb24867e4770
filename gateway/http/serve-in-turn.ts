import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Serve = (request: IncomingMessage, response: ServerResponse) => void

export interface Turns {
  serve: Serve
  /** The answer is with the connection, or the connection has ended. */
  onEnd(response: ServerResponse, socket: Socket): void
  /** Requests that may wait on a connection; one more closes it. */
  mostWaiting: number
  /** Bytes that their headers may have together: they are held until their turn comes. */
  mostBytes: number
}

interface Waiting {
  requests: { begin(): void; bytes: number }[]
  bytes: number
}

/**
 * Serves one request of a connection at a time, in their order. node:http hands over every request that it finds in what
 * has arrived, so that without this a client has hundreds of answers made and held by one packet of pipelined requests.
 */
export function serveInTurn({ serve, onEnd, mostWaiting, mostBytes }: Turns): Serve {
  /** Of connections that have a request in hand: those behind it. */
  const waiting = new WeakMap<Socket, Waiting>()

  return (request, response) => {
    const { socket } = request
    const begin = () => {
      response.once('close', () => {
        onEnd(response, socket)
        // Who has gone, or was told that the connection ends, gets no further answer.
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
