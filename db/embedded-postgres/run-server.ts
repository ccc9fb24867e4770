import { spawn, type ChildProcess } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { once } from 'node:events'
import type { Logger } from 'pino'
import type { Account } from './choose-account.ts'
import { canHoldSocket } from './server-address.ts'
import type { PostgresBinaries } from './locate-binaries.ts'
import { UnusableDatabaseError } from '../database-servers.ts'

/** Settings of postgresql.conf, by name and in its spelling. */
export type Settings = Readonly<Record<string, string>>

/** Tuned for one service with a small database, where the latency of short queries matters most. */
const SETTINGS: Settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_permissions: '0700',
  max_connections: '60',
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  min_wal_size: '64MB',
  // Without replicas: less to write and fewer processes.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  max_parallel_workers_per_gather: '0',
  io_method: 'sync',
  // JIT compilation takes longer than any query here.
  jit: 'off',
  log_checkpoints: 'off',
  // A violated constraint is logged without row and statement, because they hold addresses beside accounts.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  lc_messages: 'C',
  timezone: 'UTC',
}

/** The server ended before it accepted connections; `log` is its output. */
export class ServerStartError extends UnusableDatabaseError {
  override name = 'ServerStartError'
  readonly log: string

  constructor(log: string) {
    super(`The embedded PostgreSQL did not start: ${log.trim() || 'it said nothing'}`)
    this.log = log
  }
}

/**
 * Runs the server on a free port of 127.0.0.1 and on a socket in its folder, and waits until it accepts connections.
 * @throws ServerStartError when it exits before.
 */
export async function runServer(
  binaries: PostgresBinaries,
  account: Account,
  cluster: string,
  settings: Settings,
  logger: Logger,
): Promise<{ port: number; child: ChildProcess }> {
  const port = await findFreePort()
  const unix_socket_directories = canHoldSocket(cluster) ? cluster : ''
  const flags = Object.entries({ ...SETTINGS, unix_socket_directories, ...settings, port: String(port) })
  const { command, args } = account.commandLine(
    binaries.postgres,
    '-D',
    cluster,
    ...flags.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  )
  const child = spawn(command, args, {
    cwd: '/',
    env: { PATH: process.env['PATH'], ...binaries.environment },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A process group of its own, so that Ctrl-C reaches only the service, which then stops its parts in order.
    detached: true,
  })
  await waitUntilReady(child, logger)
  return { port, child }
}

function waitUntilReady(child: ChildProcess, logger: Logger): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = ''
    let ready = false
    child.once('error', reject)
    child.once('close', () => reject(new ServerStartError(log)))
    if (!child.stderr) return
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (!ready) log += `${line}\n`
      if (line.includes('database system is ready to accept connections')) {
        ready = true
        resolve()
      }
      logger[line.includes('PANIC:') ? 'error' : 'debug']({ line }, 'embedded PostgreSQL')
    })
  })
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
