import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeLeftovers } from '../test/harness/make-run-directory.ts'

const PREFIX = 'bench-run-'

/**
 * Creates a folder for everything that this run writes, as the temporary folder of this process and its children. Removes
 * folders that killed runs left.
 */
export async function makeRunFolder(): Promise<string> {
  const parent = tmpdir()
  await removeLeftovers(parent, PREFIX)
  const folder = await mkdtemp(join(parent, `${PREFIX}${process.pid}-`))
  // When root runs it, servers run as another user, who needs access.
  await chmod(folder, 0o711)
  process.env['TMPDIR'] = folder
  return folder
}
