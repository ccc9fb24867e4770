import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A passage to a server that can be closed. */
export interface TcpDoor {
  port: number
  /** Connections that it has refused. */
  readonly refused: number
  /** Ends every connection, and refuses new ones. */
  shut(): void
  open(): void
  close(): Promise<void>
}

/** Starts a passage to a server; the URL of a PostgreSQL server may name the folder of a socket. */
export async function startTcpDoor({ hostname, port }: URL): Promise<TcpDoor> {
  const host = decodeURIComponent(hostname)
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port: Number(port) }
  const sockets = new Set<Socket>()
  let isShut = false
  let refused = 0
  const server = createServer((incoming) => {
    if (isShut) {
      refused += 1
      incoming.destroy()
      return
    }
    const outgoing = connect(target)
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(one)
      one.on('error', () => one.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    get refused() {
      return refused
    },
    shut() {
      isShut = true
      cut()
    },
    open: () => void (isShut = false),
    async close() {
      server.close()
      cut()
      await once(server, 'close')
    },
  }
}
