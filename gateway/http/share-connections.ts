import type { Server } from 'node:http'
import { networkOf } from '../limits/network-of.ts'

/** Closes connections beyond so many of one client, so that nobody keeps all others out by idling. */
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
