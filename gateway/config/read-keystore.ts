import { readFileSync, statSync } from 'node:fs'
import { KeystoreError, openKeystore } from '../../proving/signing/open-keystore.ts'
import { ConfigError } from './config-error.ts'

/** Key files have about 500 bytes. */
const MAX_BYTES = 64 * 1024
const READABLE_BY_ALL = 0o004

/**
 * The private key in the encrypted key file that the member at `path` names.
 * @throws ConfigError
 */
export function readKeystore(
  file: string,
  password: string,
  path: string,
  warn: (message: string) => void,
): string {
  const refuse = (why: string) => new ConfigError(`${path} takes its key from ${file}, but ${why}.`)
  try {
    const { size, mode } = statSync(file)
    if (size > MAX_BYTES) throw new KeystoreError(`it is larger than ${MAX_BYTES} bytes`)
    // Windows has no such modes and shows every file as readable by everybody.
    if (process.platform !== 'win32' && mode & READABLE_BY_ALL)
      warn(`${file} holds a key (${path}) and can be read by every user of this machine: chmod 600 it.`)
    return openKeystore(readFileSync(file, 'utf8'), password)
  } catch (error) {
    if (error instanceof KeystoreError) throw refuse(error.message)
    throw refuse(`it cannot be read: ${(error as Error).message}`)
  }
}
