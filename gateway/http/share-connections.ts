import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { mostOf } from '../../relayer/shares/threshold.ts'
import { networkOf } from '../limits/network-of.ts'
import { refuseSurplus } from './refuse-connection.ts'

/** Refused connections of a client that may still be reading why; further ones are closed without an answer. */
const MOST_REFUSED = 16
/** How long such a connection may take to read it. Milliseconds. */
const REFUSED_MS = 1_000

interface Client {
  open: number
  refused: number
}

/** Connections that are refused: nothing that they ask is served. */
export type Refused = Pick<WeakSet<Socket>, 'has'>

/**
 * Refuses connections beyond this number per client, or beyond twice what is still free of all, so that clients with idle
 * connections cannot keep out the others. The answer is sent before anything is asked, because a connection that is closed without
 * one looks like a fault.
 */
export function shareConnections(server: Server, most: number, mostOfClient: number): Refused {
  const clients = new Map<string, Client>()
  const refused = new WeakSet<Socket>()
  let all = 0

  function count(socket: Socket, name: string, client: Client, member: keyof Client): void {
    all += 1
    client[member] += 1
    clients.set(name, client)
    socket.once('close', () => {
      all -= 1
      client[member] -= 1
      if (client.open + client.refused === 0) clients.delete(name)
    })
  }

  server.on('connection', (socket) => {
    const name = networkOf((socket.remoteAddress ?? '').replace(/^::ffff:/, ''))
    const client = clients.get(name) ?? { open: 0, refused: 0 }
    if (client.open < Math.min(mostOfClient, mostOf(most - all, client.open)))
      return count(socket, name, client, 'open')
    refused.add(socket)
    if (client.refused >= MOST_REFUSED) {
      socket.destroy()
      return
    }
    count(socket, name, client, 'refused')
    refuseSurplus(socket)
    const timer = setTimeout(() => socket.destroy(), REFUSED_MS)
    socket.once('close', () => clearTimeout(timer))
  })
  return refused
}
