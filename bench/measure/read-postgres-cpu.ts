import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Linux counts CPU time in hundredths of a second. */
const MS_PER_TICK = 10

/**
 * Returns the CPU of a PostgreSQL server with all its sessions, ended ones included, in milliseconds.
 * @param cluster Its data directory.
 * @throws Error where there is no `/proc`.
 */
export function readPostgresCpu(cluster: string): number {
  const [postmaster = ''] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  const own = readTimes(postmaster)
  if (!own) throw new Error('the CPU of PostgreSQL is read from /proc, which is not there')
  const sessions = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => readTimes(pid) ?? [])
    .filter(({ parent }) => parent === postmaster)
  return (own.ended + [own, ...sessions].reduce((sum, { ticks }) => sum + ticks, 0)) * MS_PER_TICK
}

/** Times of one process, and of its ended children; null where it has just ended. */
function readTimes(pid: string): { parent: string; ticks: number; ended: number } | null {
  try {
    // The name in brackets may contain any character.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number)
    return { parent: fields[1] ?? '', ticks: user + system, ended: endedUser + endedSystem }
  } catch {
    return null
  }
}
