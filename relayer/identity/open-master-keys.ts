import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { keepKeyFile } from './keep-key-file.ts'
import { createKeyWrapper, type KeyWrapper } from './key-wrapper.ts'

const KEY_FILE = 'master-key'

/**
 * Opens the configured master keys, the newest first. Without any, opens the key in the data folder, which the first
 * start creates.
 */
export function openMasterKeys(
  configured: readonly [Buffer, ...Buffer[]] | undefined,
  dataDir: string,
): readonly [KeyWrapper, ...KeyWrapper[]] {
  if (configured) {
    const [newest, ...older] = configured
    return [createKeyWrapper(newest), ...older.map(createKeyWrapper)]
  }
  const hex = keepKeyFile(join(dataDir, KEY_FILE), () => randomBytes(32).toString('hex'))
  return [createKeyWrapper(Buffer.from(hex.trim(), 'hex'))]
}
