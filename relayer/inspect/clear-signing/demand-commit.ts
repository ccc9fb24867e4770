import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { DESCRIPTOR_FOLDERS, isWanted, show, type SnapshotFiles } from './snapshot-files.ts'
import { SnapshotRefused } from './snapshot-refused.ts'

const run = promisify(execFile)
const MOST_OUTPUT = 16 * 2 ** 20

/**
 * Compares files that were read from a git repository with a commit. Only the commit's list of hashes is read from
 * git. So filters, hooks and monitors that a stranger configured in the repository neither run nor change the
 * comparison.
 *
 * @throws SnapshotRefused if the repository lacks the commit, or a file is missing, additional or different.
 */
export async function demandCommit(root: string, commit: string, files: SnapshotFiles): Promise<void> {
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
      throw new Error('git lists what is not understood')
    if (!mode.startsWith('100')) throw new SnapshotRefused([`${show(path)}: neither a file nor a folder`])
    if (isWanted(path)) blobs.set(path, hash)
  }
  return blobs
}

const hashBlob = (bytes: Buffer, algorithm: 'sha1' | 'sha256') =>
  createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
