import { chmod, mkdir, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux's folder of files in memory. */
const MEMORY = '/dev/shm'
/** A run writes a few hundred MB. */
const LEAST_FREE_BYTES = 1.5 * 2 ** 30
const PREFIX = 'test-run-'

/**
 * Makes a run's folder, and in it the folder `tmp` as the temporary folder of everything that this process starts. It
 * is in memory if there is enough. Copying the files of a database takes twenty times as long on a disk, and tests copy
 * hundreds of databases. Folders that killed runs left are removed.
 */
export async function makeRunDirectory(): Promise<string> {
  const parent = (await hasMemory()) ? MEMORY : tmpdir()
  await removeLeftovers(parent, PREFIX)
  const directory = await mkdtemp(join(parent, `${PREFIX}${process.pid}-`))
  // When root runs the tests, servers run as another user, who needs access to the folder.
  await chmod(directory, 0o711)
  const temporary = join(directory, 'tmp')
  await mkdir(temporary)
  await chmod(temporary, 0o1777)
  process.env['TMPDIR'] = temporary
  return directory
}

async function hasMemory(): Promise<boolean> {
  const free = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return free >= LEAST_FREE_BYTES
}

/** Removes the folders that killed processes left in `parent`; behind the prefix their names have the id of the process. */
export async function removeLeftovers(parent: string, prefix: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1]
    if (pid !== undefined && !isRunning(Number(pid)))
      await rm(join(parent, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
