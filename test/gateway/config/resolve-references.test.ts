import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ConfigError } from '../../../gateway/config/config-error.ts'
import { resolveReferences, type ConfigValue } from '../../../gateway/config/resolve-references.ts'
import { PASSWORD, pbkdf2Keystore, SECRET } from '../../proving/signing/keystores.ts'

const folder = mkdtempSync(join(tmpdir(), 'references-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

function write(name: string, content: string, mode = 0o600): string {
  const file = join(folder, name)
  writeFileSync(file, content)
  chmodSync(file, mode)
  return file
}

const keyFile = write('key.json', JSON.stringify(pbkdf2Keystore))
const passwordFile = write('password', `${PASSWORD}\n`)
const warnings: string[] = []
const resolve = (value: ConfigValue, env: NodeJS.ProcessEnv = {}) =>
  resolveReferences(value, { env, warn: (message) => warnings.push(message) })

function complaint(value: ConfigValue, env?: NodeJS.ProcessEnv): string {
  try {
    resolve(value, env)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as Error).message
  }
  throw new Error('the reference was resolved')
}

test('an encrypted key file gives its key, wherever its password is kept', () => {
  const byVariable = { $keystore: keyFile, password: { $env: 'P' } }
  const byFile = { $keystore: keyFile, password: { $file: passwordFile } }
  const resolved = resolve({ chains: [{ keys: [byVariable, byFile] }] }, { P: PASSWORD })
  expect(resolved).toEqual({ chains: [{ keys: [SECRET, SECRET] }] })
  expect(warnings).toEqual([])
})

test.skipIf(process.platform === 'win32')('a key file that everybody can read is used with a warning', () => {
  const open = write('open.json', JSON.stringify(pbkdf2Keystore), 0o644)
  expect(resolve({ key: { $keystore: open, password: { $env: 'P' } } }, { P: PASSWORD })).toEqual({
    key: SECRET,
  })
  expect(warnings.splice(0)).toEqual([expect.stringContaining(`${open} holds a key (key)`)])
})

test('a wrong password is reported without showing it', () => {
  const message = complaint(
    { chain: { key: { $keystore: keyFile, password: { $env: 'P' } } } },
    { P: 'hunter2' },
  )
  expect(message).toBe(`chain.key takes its key from ${keyFile}, but the password is wrong.`)
})

test('a missing file or variable is named', () => {
  const absent = join(folder, 'absent.json')
  const password = { $env: 'P' }
  expect(complaint({ key: { $keystore: absent, password } }, { P: 'x' })).toContain(
    `${absent}, but it cannot be read`,
  )
  expect(complaint({ key: { $keystore: keyFile, password } })).toContain('key.password takes its value')
})

test('a file that is too large for a key file is not read completely', () => {
  const huge = write('huge.json', ' '.repeat(100_000))
  expect(complaint({ key: { $keystore: huge, password: { $env: 'P' } } }, { P: 'x' })).toContain(
    'larger than',
  )
})

test.each<[string, ConfigValue]>([
  ['no password', { $keystore: keyFile }],
  ['a password in the open', { $keystore: keyFile, password: 'testpassword' }],
  ['another member', { $keystore: keyFile, password: { $env: 'P' }, account: 1 }],
  ['no path', { $keystore: 7, password: { $env: 'P' } }],
])('a reference with %s is refused', (_, reference) => {
  const message = complaint({ key: reference }, { P: PASSWORD })
  expect(message).toContain('key is no reference to a key file')
  expect(message).not.toContain(PASSWORD)
})
