import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Serve = (request: IncomingMessage, response: ServerResponse) => void

export interface Turns {
  serve: Serve
  /** The answer is with the connection, or the connection has ended. */
  onEnd(response: ServerResponse, socket: Socket): void
  /** Requests that may wait on a connection; one more closes it. */
  mostWaiting: number
}

/**
 * Serves one request of a connection at a time, in their order. node:http hands over every request that it finds in what
 * has arrived, so that without this a client has hundreds of answers made and held by one packet of pipelined requests.
 */
export function serveInTurn({ serve, onEnd, mostWaiting }: Turns): Serve {
  /** Of connections that have a request in hand: those behind it. */
  const waiting = new WeakMap<Socket, (() => void)[]>()

  return (request, response) => {
    const { socket } = request
    const begin = () => {
      response.once('close', () => {
        onEnd(response, socket)
        // Who has gone, or was told that the connection ends, gets no further answer.
        const next = socket.destroyed || !socket.writable ? undefined : waiting.get(socket)?.shift()
        if (next) next()
        else waiting.delete(socket)
      })
      serve(request, response)
    }
    const queue = waiting.get(socket)
    if (!queue) {
      waiting.set(socket, [])
      begin()
    } else if (queue.length < mostWaiting) queue.push(begin)
    else socket.destroy()
  }
}
