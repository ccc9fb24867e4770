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

/** Counts what clients hold, by network. */
export interface ClientPlaces {
  /** Takes a place until it is closed. @returns False if the client has its share. */
  take(client: string, held: Held): boolean
}

interface Held {
  once(event: 'close', listener: () => void): unknown
}

/** Creates places of which a client has at most `mostOfClient`, and at most twice the free ones. */
export function createClientPlaces(most: number, mostOfClient: number): ClientPlaces {
  const taken = new Map<string, number>()
  let all = 0
  return {
    take(client, held) {
      const present = taken.get(client) ?? 0
      if (present >= Math.min(mostOfClient, mostOf(most - all, present))) return false
      taken.set(client, present + 1)
      all += 1
      held.once('close', () => {
        all -= 1
        const left = (taken.get(client) ?? 1) - 1
        if (left > 0) taken.set(client, left)
        else taken.delete(client)
      })
      return true
    },
  }
}

/**
 * Refuses connections beyond this number per client, or beyond twice the free number of all. Clients with idle
 * connections thus cannot keep out the others. The refusal is sent before any request, because a connection closed
 * without an answer looks like a fault.
 */
export function shareConnections(server: Server, most: number, mostOfClient: number): Refused {
  const refused = new WeakSet<Socket>()
  const mostRefused = Math.floor(most * REFUSED_PART)
  const places = createClientPlaces(most - mostRefused, mostOfClient)
  let refusing = 0

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
    if (!places.take(client, socket)) refuse(socket)
  })
  return refused
}
