import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Longer paths are cut by some systems. */
const MAX_SOCKET_PATH = 100

const socketFile = (folder: string, port: number) => join(folder, `.s.PGSQL.${port}`)

/**
 * Whether the server can have its socket in this folder: a statement over it takes half as long as one over the network of the
 * machine.
 */
export const canHoldSocket = (folder: string): boolean =>
  process.platform !== 'win32' && !/[,"]/.test(folder) && socketFile(folder, 65_535).length <= MAX_SOCKET_PATH

/** The address of the server of a cluster: its socket where it has one, else its port. */
export function serverAddress(cluster: string, port: number, password: string): string {
  const host = existsSync(socketFile(cluster, port)) ? encodeURIComponent(cluster) : '127.0.0.1'
  return `postgres://postgres:${password}@${host}:${port}/postgres?sslmode=disable`
}
