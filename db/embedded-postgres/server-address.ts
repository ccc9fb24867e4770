import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Some systems truncate longer paths. */
const MAX_SOCKET_PATH = 100

const socketFile = (folder: string, port: number) => join(folder, `.s.PGSQL.${port}`)

/** True if the server can have its socket in this folder. A statement over the socket takes half as long as one over TCP. */
export const canHoldSocket = (folder: string): boolean =>
  process.platform !== 'win32' && !/[,"]/.test(folder) && socketFile(folder, 65_535).length <= MAX_SOCKET_PATH

/** The address of a cluster's server: its socket if there is one, else its port. */
export function serverAddress(cluster: string, port: number, password: string): string {
  const host = existsSync(socketFile(cluster, port)) ? encodeURIComponent(cluster) : '127.0.0.1'
  return `postgres://postgres:${password}@${host}:${port}/postgres?sslmode=disable`
}
