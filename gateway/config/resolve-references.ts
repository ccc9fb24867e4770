import { readFileSync, statSync } from 'node:fs'
import { ConfigError } from './config-error.ts'
import { KeystoreError, openKeystore } from '../../proving/signing/open-keystore.ts'

export type ConfigValue = null | boolean | number | string | ConfigValue[] | { [member: string]: ConfigValue }

export interface ReferenceSources {
  env: NodeJS.ProcessEnv
  /** Receives settings that work but should be corrected. */
  warn(message: string): void
}

/** Reads the variable or file that `$env` or `$file` names; undefined if `value` is not such a reference. */
function readText(value: ConfigValue, env: NodeJS.ProcessEnv, path: string): string | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
  const [[member, name] = [], ...others] = Object.entries(value)
  if (others.length > 0 || typeof name !== 'string') return undefined
  if (member === '$env') {
    const found = env[name]
    if (found === undefined)
      throw new ConfigError(`${path} takes its value from the environment, but ${name} is not set. Set it.`)
    return found
  }
  if (member !== '$file') return undefined
  try {
    return readFileSync(name, 'utf8').trim()
  } catch (error) {
    throw new ConfigError(
      `${path} takes its value from ${name}, which cannot be read: ${(error as Error).message}`,
    )
  }
}

/**
 * Replaces references by the values that they name, so that the file need not contain keys: `{"$env": "NAME"}`,
 * `{"$file": "path"}`, and `{"$keystore": "path", "password": …}` whose password is one of the other two.
 */
export function resolveReferences(root: ConfigValue, { env, warn }: ReferenceSources): ConfigValue {
  /** Chains often share a key, and decrypting its file takes a second. */
  const opened = new Map<string, string>()

  function openKeyFile(value: { [member: string]: ConfigValue }, path: string): string {
    const { $keystore: file, password: reference, ...others } = value
    const password = reference === undefined ? undefined : readText(reference, env, `${path}.password`)
    if (typeof file !== 'string' || password === undefined || Object.keys(others).length > 0)
      throw new ConfigError(
        `${path} is no reference to a key file: write {"$keystore": "path", "password": {"$env": "NAME"}}, or "$file" for "$env".`,
      )
    const known = JSON.stringify([file, password])
    const key = opened.get(known) ?? readKeystore(file, password, path, warn)
    opened.set(known, key)
    return key
  }

  function resolve(value: ConfigValue, path: string): ConfigValue {
    if (Array.isArray(value)) return value.map((item, index) => resolve(item, `${path}[${index}]`))
    if (value === null || typeof value !== 'object') return value
    if ('$keystore' in value) return openKeyFile(value, path)
    return (
      readText(value, env, path) ??
      Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, resolve(item, path ? `${path}.${key}` : key)]),
      )
    )
  }

  return resolve(root, '')
}

/** Key files have about 500 bytes. */
const MAX_BYTES = 64 * 1024
const READABLE_BY_ALL = 0o004

/**
 * The private key in the encrypted key file that the member at `path` names.
 * @throws ConfigError
 */
function readKeystore(file: string, password: string, path: string, warn: (message: string) => void): string {
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
