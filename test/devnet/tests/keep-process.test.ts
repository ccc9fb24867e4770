import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepProcess, type KeptPart } from '../keep-process.ts'

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'keep-process-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

const logger = pino({ level: 'silent' })
const parts = new Map<string, KeptPart>([
  ['one', { name: 'the one', port: 0, portHint: '', settings: () => ({}), onMessage: () => {} }],
])

async function writeProgram(name: string, source: string): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, source)
  return file
}

it('a process that ends before it receives its parts is an error, and is not awaited', async () => {
  const program = await writeProgram('ends.mjs', 'process.exit(3)')
  const described = sleep(1_000).then(() => parts)
  await expect(keepProcess(program, described, logger)).rejects.toThrow(
    "The devnet's the one did not start (exit code 3)",
  )
})

it('a process whose parts cannot be described ends', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const program = await writeProgram(
    'stays.mjs',
    `import { connect } from 'node:net'
    connect(${port}, '127.0.0.1').on('error', () => undefined)
    process.on('message', () => undefined)`,
  )
  const connected = once(server, 'connection') as Promise<[Socket]>
  const { promise: described, reject } = Promise.withResolvers<typeof parts>()
  const kept = keepProcess(program, described, logger)
  const [socket] = await connected
  const ended = once(socket.on('error', () => undefined).resume(), 'close')
  reject(new Error('no chain'))
  await expect(kept).rejects.toThrow('no chain')
  await ended
  server.close()
})
