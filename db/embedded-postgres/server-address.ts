import { existsSync, readFileSync } from 'node:fs'
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

/**
 * Returns the address of the embedded PostgreSQL that a service runs in a data folder; null where none ran. The server
 * may be dead: a killed service leaves its files, so the caller must connect to find out.
 */
export function findRunningServer(dataDir: string): string | null {
  const stateDirectory = join(dataDir, 'postgres')
  const lockFile = join(stateDirectory, 'cluster', 'postmaster.pid')
  const passwordFile = join(stateDirectory, 'password')
  if (!existsSync(lockFile) || !existsSync(passwordFile)) return null
  // Lines: process id, folder, start time, port.
  const port = Number(readFileSync(lockFile, 'utf8').split('\n')[3])
  if (!Number.isInteger(port) || port < 1) return null
  const password = readFileSync(passwordFile, 'utf8')
  return serverAddress(join(stateDirectory, 'cluster'), port, password)
}
