import type { Server } from 'node:http'
import { mostOf } from '../../relayer/shares/threshold.ts'
import { networkOf } from '../limits/network-of.ts'

/**
 * Closes connections beyond this number per client, or beyond twice what is still free of all, so that clients with idle
 * connections cannot keep out the others.
 */
export function shareConnections(server: Server, most: number, mostOfClient: number): void {
  const open = new Map<string, number>()
  let all = 0
  server.on('connection', (socket) => {
    const client = networkOf((socket.remoteAddress ?? '').replace(/^::ffff:/, ''))
    const present = open.get(client) ?? 0
    if (present >= Math.min(mostOfClient, mostOf(most - all, present))) {
      socket.destroy()
      return
    }
    open.set(client, present + 1)
    all += 1
    socket.once('close', () => {
      all -= 1
      const left = (open.get(client) ?? 1) - 1
      if (left > 0) open.set(client, left)
      else open.delete(client)
    })
  })
}
