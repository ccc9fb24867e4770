import { randomBytes, randomUUID } from 'node:crypto'
import { join, dirname } from 'node:path'
import { createKeyWrapper, type KeyWrapper } from './key-wrapper.ts'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

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
  return [openHex(keepKeyFile(join(dataDir, KEY_FILE), () => randomBytes(32).toString('hex')))]
}

/** As {@link openMasterKeys}, but makes no key. @returns Null if there is none. */
export function findMasterKeys(
  configured: readonly [Buffer, ...Buffer[]] | undefined,
  dataDir: string,
): readonly [KeyWrapper, ...KeyWrapper[]] | null {
  if (configured) return openMasterKeys(configured, dataDir)
  const hex = readIfThere(join(dataDir, KEY_FILE))
  return hex === null ? null : [openHex(hex)]
}

const openHex = (hex: string): KeyWrapper => createKeyWrapper(Buffer.from(hex.trim(), 'hex'))

/**
 * Returns the content of a key file that only its owner may read; the first call creates it. Of concurrent processes
 * one creates the key and all get it. A link fails if the file exists, so a process never reads a partial file.
 */
export function keepKeyFile(file: string, makeKey: () => string): string {
  const kept = readIfThere(file)
  if (kept !== null) return kept
  const draft = `${file}.${randomUUID()}`
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(draft, makeKey(), { mode: 0o600, flush: true })
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return readFileSync(file, 'utf8')
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
