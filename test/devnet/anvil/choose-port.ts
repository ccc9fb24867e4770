import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** The wanted port of the loopback address when it is free, otherwise (or for 0) any free one. */
export async function choosePort(wanted: number): Promise<number> {
  const server = createServer()
  try {
    server.listen(wanted, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  } catch (error) {
    if (wanted === 0) throw error
    return await choosePort(0)
  } finally {
    server.close()
  }
}
