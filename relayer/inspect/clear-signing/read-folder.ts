import { constants, existsSync, lstatSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { demandCommit } from './demand-commit.ts'
import {
  demandSafePath,
  DESCRIPTOR_FOLDERS,
  isWanted,
  MOST_IMPORT_BYTES,
  MOST_FILE_BYTES,
  MOST_FILES,
  show,
  type SnapshotFiles,
} from './snapshot-files.ts'
import { SnapshotRefused } from './snapshot-refused.ts'

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
