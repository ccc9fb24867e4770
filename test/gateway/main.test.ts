import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inheritedEnvironment } from '../harness/inherited-environment.ts'
import { openTestDatabase, type TestDatabase } from '../harness/open-test-database.ts'
import { runCli } from '../harness/run-cli.ts'

let folder: string
let database: TestDatabase
/** A start with these ends before it needs a chain, or waits for one. */
let env: Record<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'start-'))
  database = await openTestDatabase()
  const CONFIG = join(folder, 'config.json')
  await writeFile(
    CONFIG,
    JSON.stringify({ chains: [{ chainId: 1, name: 'One', rpcUrls: ['http://127.0.0.1:9'] }] }),
  )
  env = { CONFIG, DATA_DIR: folder, DATABASE_URL: database.url, SIGN_IN_DOMAINS: 'app.example', PORT: '0' }
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

/** Starts the service and returns its output once it contains the text. */
async function outputUntil(text: string, command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, {
    env: { ...inheritedEnvironment(), ...env, TERM: 'xterm' },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  let output = ''
  for await (const chunk of child.stdout) {
    output += String(chunk)
    if (output.slice(output.indexOf(text)).includes('\n') && output.includes(text)) break
  }
  process.kill(-child.pid!, 'SIGKILL')
  await once(child, 'close')
  return output
}

const WARNING = 'keys at rest are wrapped by a master key in the data folder'

test.skipIf(!existsSync('/usr/bin/script'))('on a terminal the log is lines for people', async () => {
  const output = await outputUntil(WARNING, 'script', [
    '-qefc',
    `${process.execPath} gateway/start.mjs`,
    '/dev/null',
  ])
  const line = stripVTControlCharacters(output)
    .split('\n')
    .find((one) => one.includes(WARNING))
  expect(line).toMatch(/^\[\d\d:\d\d:\d\d\] WARN: keys at rest/)
  expect(output).not.toContain('"level"')
})

test('in a pipe the log is JSON', async () => {
  const output = await outputUntil(WARNING, process.execPath, ['gateway/start.mjs'])
  const entry = JSON.parse(output.split('\n').find((one) => one.includes(WARNING))!) as object
  expect(entry).toMatchObject({ level: 'warn', dataDir: folder })
})

test('a busy port ends the start before any work, and the message has the command for a free one', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const { port } = holder.address() as AddressInfo
  const { code, stdout, stderr } = await runCli('gateway/start.mjs', [], { ...env, PORT: String(port) })
  holder.close()
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^Port \d+ of 127\.0\.0\.1 is in use, .*: PORT=\d+ npm start\n$/)
  expect(stderr).not.toContain(`PORT=${port} `)
})

test('a database that does not answer ends the start with one line and no stack', async () => {
  const { code, stderr } = await runCli('gateway/start.mjs', [], {
    ...env,
    DATABASE_URL: 'postgres://relay:secret@127.0.0.1:1/relay',
  })
  expect(code).toBe(1)
  expect(stderr.trim().split('\n').at(-1)).toBe(
    'Cannot connect to PostgreSQL at 127.0.0.1:1/relay: connect ECONNREFUSED 127.0.0.1:1',
  )
  expect(stderr).not.toMatch(/secret|\n\s+at /)
})

test('a setting that does not exist is named, with the list of those that do', async () => {
  const CONFIG = join(folder, 'misspelt.json')
  await writeFile(CONFIG, JSON.stringify({ http: { bodylimit: 1 } }))
  const { code, stderr } = await runCli('gateway/start.mjs', [], { ...env, CONFIG })
  expect(code).toBe(1)
  expect(stderr).toContain('http.bodylimit: no such setting')
  expect(stderr).toContain('gateway/config/SETTINGS.md')
})
