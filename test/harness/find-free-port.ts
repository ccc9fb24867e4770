import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'

const LOWEST = 10_000
/** Linux's default; other systems begin higher. */
const USUAL_FIRST = 32_768

/** The first port that the system gives to connections, and to listeners on any port. */
function firstGiven(): number {
  try {
    return Number(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s/)[0])
  } catch {
    return USUAL_FIRST
  }
}

/**
 * Returns a TCP port of 127.0.0.1 without a listener, which the system gives to no other program until it is used. So a
 * server that is stopped and started again finds it free.
 */
export async function findFreePort(): Promise<number> {
  const end = firstGiven()
  const attempts = end > LOWEST ? 100 : 0
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = await probe(randomInt(LOWEST, end))
    if (port !== null) return port
  }
  const port = await probe(0)
  if (port === null) throw new Error('no port is free')
  return port
}

/** The port, or any for 0; null where it is taken. */
async function probe(wanted: number): Promise<number | null> {
  const server = createServer().listen(wanted, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return null
  }
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
