import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

const POLL_MS = 50
/** The keeper of an orphan ends it within this time; where the keeper was killed as well, we do. */
const SIGNAL_AFTER_MS = 6_000
const GIVE_UP_AFTER_MS = 30_000
/** A devnet ends as soon as its service is gone; on a busy machine that takes a moment. */
const OWNER_PATIENCE_MS = 1_500

/**
 * Waits until the chain that a killed service left behind has written its state and is gone.
 * @param pidFile Holds "<process id> <process id of the devnet>".
 * @throws Error when that devnet still runs: it owns the chain.
 */
export async function clearOrphanNode(pidFile: string, stateFile: string, logger: Logger): Promise<void> {
  if (!existsSync(pidFile)) return
  const [pid = 0, owner = 0] = readFileSync(pidFile, 'utf8').split(' ').map(Number)
  const started = performance.now()
  let signalled = false
  for (let parent; (parent = parentOfChain(pid, stateFile)) !== null;) {
    const waited = performance.now() - started
    if (parent === owner && waited > OWNER_PATIENCE_MS)
      throw new Error(
        `Another service already runs the devnet of ${stateFile} (process ${owner}): stop it, or set another DATA_DIR`,
      )
    if (waited > GIVE_UP_AFTER_MS) throw new Error(`The chain process ${pid} does not end: end it by hand`)
    if (waited > SIGNAL_AFTER_MS && !signalled) {
      signalled = true
      logger.warn({ pid }, 'ending the devnet chain that a killed service left behind')
      process.kill(pid, 'SIGINT')
    }
    await sleep(POLL_MS)
  }
}

/** The parent's id when process `pid` is a living chain with this state file, otherwise null. */
function parentOfChain(pid: number, stateFile: string): number | null {
  try {
    const { state, parent, command } = process.platform === 'linux' ? readProc(pid) : askPs(pid)
    return state !== 'Z' && command.includes(stateFile) ? parent : null
  } catch {
    return null
  }
}

function readProc(pid: number): { state: string; parent: number; command: string } {
  // The program's name, in parentheses, may itself hold blanks and parentheses.
  const [state = '', parent = ''] =
    readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return { state, parent: Number(parent), command: readFileSync(`/proc/${pid}/cmdline`, 'utf8') }
}

function askPs(pid: number): { state: string; parent: number; command: string } {
  const line = execFileSync('ps', ['-o', 'state=,ppid=,command=', '-p', String(pid)], { encoding: 'utf8' })
  const [, state = '', parent = '', command = ''] = /^\s*(\S)\S*\s+(\d+)\s+(.*)/.exec(line) ?? []
  return { state, parent: Number(parent), command }
}
