import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system of its own, so small that a test can fill it. */
export interface SmallDisk {
  folder: string
  /** Takes all room that is left. */
  fill(): void
  /** Gives it back. */
  empty(): void
  unmount(): void
}

/**
 * Mounts an empty file system in memory. @returns Null, after saying which test is skipped, where this process may not mount.
 */
export function mountSmallDisk(megabytes: number, test: string): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'))
  const options = `size=${megabytes}m,mode=0755`
  const isMounted =
    spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'small-disk', folder], { stdio: 'ignore' }).status === 0
  if (!isMounted) {
    rmSync(folder, { recursive: true })
    process.stdout.write(`skipped: ${test}: this process may not mount a file system\n`)
    return null
  }
  const ballast = join(folder, 'ballast')
  return {
    folder,
    fill() {
      const file = openSync(ballast, 'a')
      try {
        for (const bytes of [2 ** 20, 2 ** 12])
          for (const block = Buffer.alloc(bytes); hasWritten(file, block););
      } finally {
        closeSync(file)
      }
    },
    empty: () => rmSync(ballast, { force: true }),
    unmount() {
      spawnSync('umount', ['--lazy', folder], { stdio: 'ignore' })
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function hasWritten(file: number, block: Buffer): boolean {
  try {
    writeSync(file, block)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false
    throw error
  }
}
