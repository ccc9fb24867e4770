import { constants, existsSync, lstatSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  demandSafePath,
  DESCRIPTOR_FOLDERS,
  isWanted,
  MOST_IMPORT_BYTES,
  MOST_FILE_BYTES,
  MOST_FILES,
  show,
  type SnapshotFiles,
  SnapshotRefused,
} from './snapshot-files.ts'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'

/**
 * Reads the folders of a registry that hold descriptors. In a git repository, the files must equal those of the
 * commit. Without a repository, the operator's commit is trusted.
 *
 * @param commit 40 hex digits; null for a folder of the operator's own.
 * @throws SnapshotRefused for links, files beyond the limits, and files that differ from the commit.
 */
export async function readFolder(root: string, commit: string | null): Promise<SnapshotFiles> {
  const files = new Map<string, Buffer>()
  const counted = { entries: 0, bytes: 0 }
  for (const folder of DESCRIPTOR_FOLDERS) {
    const found = lstatSync(join(root, folder), { throwIfNoEntry: false })
    if (found && !found.isDirectory()) throw new SnapshotRefused([`${folder}: is no folder`])
    if (found) await readInto(files, root, folder, counted)
  }
  if (commit !== null && existsSync(join(root, '.git'))) await demandCommit(root, commit, files)
  return files
}

async function readInto(
  files: Map<string, Buffer>,
  root: string,
  folder: string,
  counted: { entries: number; bytes: number },
): Promise<void> {
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`
    demandSafePath(path)
    counted.entries += 1
    if (counted.entries > MOST_FILES) throw new SnapshotRefused([`more than ${MOST_FILES} files and folders`])
    if (entry.isDirectory()) await readInto(files, root, path, counted)
    else if (!entry.isFile()) throw new SnapshotRefused([`${show(path)}: neither a file nor a folder`])
    else if (isWanted(path)) files.set(path, await readBoundedFile(root, path, counted))
  }
}

async function readBoundedFile(root: string, path: string, counted: { bytes: number }): Promise<Buffer> {
  // Rejects a link that replaced the file after the folder was listed.
  const file = await open(join(root, path), constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { size } = await file.stat()
    counted.bytes += size
    if (size > MOST_FILE_BYTES)
      throw new SnapshotRefused([`${show(path)}: larger than ${MOST_FILE_BYTES} bytes`])
    if (counted.bytes > MOST_IMPORT_BYTES) throw new SnapshotRefused([`more than ${MOST_IMPORT_BYTES} bytes`])
    return await file.readFile()
  } finally {
    await file.close()
  }
}

const run = promisify(execFile)
const MOST_OUTPUT = 16 * 2 ** 20

/**
 * Compares files that were read from a git repository with a commit. Only the commit's list of hashes is read from
 * git. So filters, hooks and monitors that a stranger configured in the repository neither run nor change the
 * comparison.
 *
 * @throws SnapshotRefused if the repository lacks the commit, or a file is missing, additional or different.
 */
async function demandCommit(root: string, commit: string, files: SnapshotFiles): Promise<void> {
  const expected = await listBlobs(root, commit)
  const missing = [...expected.keys()].filter((path) => !files.has(path))
  const changed = [...files].flatMap(([path, bytes]) =>
    expected.get(path) === hashBlob(bytes, commit.length === 64 ? 'sha256' : 'sha1') ? [] : [path],
  )
  if (missing.length + changed.length === 0) return
  throw new SnapshotRefused(
    [...missing, ...changed].slice(0, 20).map((path) => `${show(path)}: is not as in the commit ${commit}`),
  )
}

async function listBlobs(root: string, commit: string): Promise<Map<string, string>> {
  const listed = await run(
    'git',
    ['-C', root, 'ls-tree', '-r', '-z', '--full-tree', commit, '--', ...DESCRIPTOR_FOLDERS],
    {
      maxBuffer: MOST_OUTPUT,
      // Without these settings git would fetch missing objects from remotes that the repository names.
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        GIT_ALLOW_PROTOCOL: 'none',
        GIT_NO_LAZY_FETCH: '1',
      },
    },
  ).catch((cause: unknown) => {
    const said = String((cause as { stderr?: unknown }).stderr ?? cause).trim()
    throw new SnapshotRefused([`git does not list the commit ${commit}: ${show(said)}`])
  })
  const blobs = new Map<string, string>()
  for (const line of listed.stdout.split('\0').filter(Boolean)) {
    const [, mode, hash, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.+)$/s.exec(line) ?? []
    if (mode === undefined || hash === undefined || path === undefined)
      throw new Error('a line of `git ls-tree` cannot be parsed')
    if (!mode.startsWith('100')) throw new SnapshotRefused([`${show(path)}: neither a file nor a folder`])
    if (isWanted(path)) blobs.set(path, hash)
  }
  return blobs
}

const hashBlob = (bytes: Buffer, algorithm: 'sha1' | 'sha256') =>
  createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
