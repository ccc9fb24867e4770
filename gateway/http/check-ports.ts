import { once } from 'node:events'
import { createServer } from 'node:net'
import { isLoopback } from './is-loopback.ts'

/** The service cannot listen where its configuration says. */
export class PortError extends Error {
  override name = 'PortError'
}

/** The addresses on which the service listens. */
interface Doors {
  host: string
  port: number
  operatorHost: string
  operatorPort: number
}

/** How many ports above a busy one are tried, to suggest one. */
const ATTEMPTS = 20

/**
 * Checks that the service can listen on its ports, before any part of it starts.
 * @throws PortError with the command that uses a free port.
 */
export async function checkPorts({ host, port, operatorHost, operatorPort }: Doors): Promise<void> {
  const isApart = !isLoopback(host)
  await checkPort(host, port, 'PORT', isApart ? [operatorPort] : [])
  if (isApart) await checkPort(operatorHost, operatorPort, 'OPERATOR_PORT', [port])
}

async function checkPort(host: string, port: number, variable: string, others: readonly number[]) {
  const code = await tryPort(host, port)
  if (code === null) return
  if (code === 'EADDRNOTAVAIL')
    throw new PortError(`No network interface of this machine has the address ${host}.`)
  if (code === 'EACCES')
    throw new PortError(
      `Port ${port} needs more rights than this user has. Choose one above 1023: ${variable}=${port + 4000} npm start`,
    )
  if (code !== 'EADDRINUSE') throw new PortError(`Cannot listen on ${host}, port ${port}: ${code}.`)
  for (let free = port + 1; free <= Math.min(port + ATTEMPTS, 65_535); free += 1)
    if (!others.includes(free) && (await tryPort(host, free)) === null)
      throw new PortError(
        `Port ${port} of ${host} is in use, perhaps by this service. To use another: ${variable}=${free} npm start`,
      )
  throw new PortError(`Port ${port} of ${host} is in use, and so are the next ${ATTEMPTS}.`)
}

/** Listens for a moment. Returns null if that works, or the code of the operating system's error. */
async function tryPort(host: string, port: number): Promise<string | null> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
    return null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  }
}
