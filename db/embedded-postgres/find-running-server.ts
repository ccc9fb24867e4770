import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serverAddress } from './server-address.ts'

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
