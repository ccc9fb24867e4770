import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A running server of the devnet that only this machine reaches. */
export interface LocalServer {
  url: string
  stop(): Promise<void>
}

/** Lets a server listen on a free port of the loopback address. */
export async function listenLocally(server: Server): Promise<LocalServer> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
