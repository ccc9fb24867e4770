import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { mostOf } from '../../relayer/shares/threshold.ts'
import { networkOf } from '../limits/create-rate-limiter.ts'
import { refuseSurplus } from './refuse-connection.ts'

/** Share of all connections that may be refused ones whose clients still read the refusal; further ones are closed unanswered. */
const REFUSED_PART = 1 / 16
/** Time that such a client has to read it. Milliseconds. */
const REFUSED_MS = 1_000

/** Refused connections: their requests are not served. */
export type Refused = Pick<WeakSet<Socket>, 'has'>

/**
 * Refuses connections beyond this number per client, or beyond twice the free number of all. Clients with idle
 * connections thus cannot keep out the others. The refusal is sent before any request, because a connection closed
 * without an answer looks like a fault.
 */
export function shareConnections(server: Server, most: number, mostOfClient: number): Refused {
  const open = new Map<string, number>()
  const refused = new WeakSet<Socket>()
  let all = 0
  let refusing = 0
  const mostRefused = Math.floor(most * REFUSED_PART)

  function admit(socket: Socket, client: string, present: number): void {
    open.set(client, present + 1)
    all += 1
    socket.once('close', () => {
      all -= 1
      const left = (open.get(client) ?? 1) - 1
      if (left > 0) open.set(client, left)
      else open.delete(client)
    })
  }

  function refuse(socket: Socket): void {
    refused.add(socket)
    if (refusing >= mostRefused) {
      socket.destroy()
      return
    }
    refusing += 1
    refuseSurplus(socket)
    const timer = setTimeout(() => socket.destroy(), REFUSED_MS)
    socket.once('close', () => {
      refusing -= 1
      clearTimeout(timer)
    })
  }

  server.on('connection', (socket) => {
    const client = networkOf((socket.remoteAddress ?? '').replace(/^::ffff:/, ''))
    const present = open.get(client) ?? 0
    if (present < Math.min(mostOfClient, mostOf(most - mostRefused - all, present)))
      admit(socket, client, present)
    else refuse(socket)
  })
  return refused
}
