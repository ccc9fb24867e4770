import type { Server } from 'node:http'
import { networkOf } from '../limits/network-of.ts'

/**
 * Closes connections beyond this number per client, so that one client with idle connections cannot keep out the
 * others.
 */
export function shareConnections(server: Server, mostOfClient: number): void {
  const open = new Map<string, number>()
  server.on('connection', (socket) => {
    const client = networkOf((socket.remoteAddress ?? '').replace(/^::ffff:/, ''))
    const present = open.get(client) ?? 0
    if (present >= mostOfClient) {
      socket.destroy()
      return
    }
    open.set(client, present + 1)
    socket.once('close', () => {
      const left = (open.get(client) ?? 1) - 1
      if (left > 0) open.set(client, left)
      else open.delete(client)
    })
  })
}
