import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { UnusableDatabaseError } from '../database-servers.ts'

/** No process ever has this id. */
const NO_PROCESS = 2_147_483_646

/** Time that an orphan has to write its checkpoint before a SIGQUIT. Both ways keep all committed data. */
const PATIENCE_MS = 15_000

/**
 * Clears the way for a new server after the previous service was killed. Stops the orphaned server, and unlocks the
 * cluster when the process id in its lock file is dead or unrelated.
 *
 * @param launcherFile Holds the process id of the service that started the server last.
 * @throws Error when that service still runs.
 */
export async function clearOrphan(cluster: string, launcherFile: string, logger: Logger): Promise<void> {
  const lockFile = join(cluster, 'postmaster.pid')
  if (!existsSync(lockFile)) return
  const [pidLine = '', ...lockRest] = readFileSync(lockFile, 'utf8').split('\n')
  const pid = Number(pidLine)
  const launcher = existsSync(launcherFile) ? Number(readFileSync(launcherFile, 'utf8')) : undefined

  if (parentOfServer(pid, cluster) === launcher && launcher !== undefined) {
    throw new UnusableDatabaseError(
      `Another service (process ${launcher}) already uses ${cluster}: stop it, or set another DATA_DIR`,
    )
  }
  if (parentOfServer(pid, cluster) !== undefined) await endOrphan(pid, cluster, logger)
  if (!existsSync(lockFile)) return
  // Voids only the id: from the rest PostgreSQL detects lingering sessions of the dead server.
  writeFileSync(lockFile, [NO_PROCESS, ...lockRest].join('\n'))
}

async function endOrphan(pid: number, cluster: string, logger: Logger): Promise<void> {
  logger.warn({ pid }, 'ending the embedded PostgreSQL that a killed service left behind')
  const started = performance.now()
  let signal: NodeJS.Signals = 'SIGINT'
  while (parentOfServer(pid, cluster) !== undefined) {
    const waited = performance.now() - started
    if (waited > 2 * PATIENCE_MS)
      throw new UnusableDatabaseError(
        `The PostgreSQL process ${pid} on ${cluster} does not end: end it by hand`,
      )
    if (waited > PATIENCE_MS) signal = 'SIGQUIT'
    if (!sendSignal(pid, signal)) return
    await sleep(100)
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

/** Returns the parent's id if `pid` is a living PostgreSQL server on this cluster, otherwise undefined. */
function parentOfServer(pid: number, cluster: string): number | undefined {
  try {
    const { parent, command } = process.platform === 'linux' ? readProc(pid) : askPs(pid)
    // A zombie, which a careless PID 1 leaves, has no command line.
    return command.includes(cluster) ? parent : undefined
  } catch {
    return undefined
  }
}

function readProc(pid: number): { parent: number; command: string } {
  // The second field, the program's name in parentheses, may itself contain blanks and parentheses.
  const [, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return { parent: Number(parent), command: readFileSync(`/proc/${pid}/cmdline`, 'utf8') }
}

function askPs(pid: number): { parent: number; command: string } {
  const line = execFileSync('ps', ['-o', 'ppid=,command=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  return { parent: Number.parseInt(line, 10), command: line }
}
