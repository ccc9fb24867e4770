import { connect, type Socket } from 'node:net'

/** Followers of one client, which may follow 64 requests at once. */
const OF_CLIENT = 62

/** Clients that follow something and read its events. */
export interface ManyFollowers {
  /** Events that all of them together received. */
  told(): number
  leave(): Promise<void>
}

/**
 * Follows the withdrawals of notes, each on a connection of its own; the addresses of the loopback network are the clients.
 *
 * @param nullifierHashOf Returns the note that each of them follows.
 */
export async function followMany(
  url: string,
  count: number,
  nullifierHashOf: (place: number) => string,
): Promise<ManyFollowers> {
  const { port } = new URL(url)
  let events = 0
  const sockets: Socket[] = []
  const follow = (place: number) =>
    new Promise<void>((resolve, reject) => {
      const query = `subscription { relayerRequestProgress(nullifierHash: "${nullifierHashOf(place)}") { requestId status } }`
      const body = JSON.stringify({ query })
      const localAddress = `127.0.1.${1 + Math.floor(place / OF_CLIENT)}`
      const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress })
      socket.on('data', (chunk) => {
        const text = chunk.toString('latin1')
        events += text.split('event: next').length - 1
        if (text.startsWith('HTTP/1.1 200')) resolve()
      })
      socket.on('error', reject)
      socket.write(
        `POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\naccept: text/event-stream\r\n` +
          `content-length: ${body.length}\r\n\r\n${body}`,
      )
      sockets.push(socket)
    })
  // A few at a time: beginning is not measured.
  for (let place = 0; place < count; place += 16)
    await Promise.all(
      Array.from({ length: Math.min(16, count - place) }, (_, offset) => follow(place + offset)),
    )
  return {
    told: () => events,
    async leave() {
      const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
      for (const socket of sockets) socket.destroy()
      await Promise.all(closed)
    },
  }
}
