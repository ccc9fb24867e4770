import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DevnetError, runDevnet } from '../../../gateway/compose/run-devnet.ts'
import { devnetConfig } from '../../../gateway/config/devnet-config.ts'
import { askNode } from '../../harness/ask-node.ts'
import { resumeDeployedChains } from '../../harness/resume-deployed-chains.ts'

const alone = { chainIds: [31_337], ports: [], across: false, cash: false, market: false, asp: false }
const config = devnetConfig.parse(alone)
let dataDir: string
let stops: (() => Promise<void>)[]

beforeEach(async () => {
  stops = []
  dataDir = await mkdtemp(join(tmpdir(), 'run-devnet-'))
  await resumeDeployedChains(dataDir, config)
})
afterEach(async () => {
  for (const stop of stops) await stop()
  // The keeper of a killed devnet's chain lets it write its state first.
  for (const pid of await readPids().catch(() => [])) await expect.poll(() => isRunning(pid)).toBe(false)
  await rm(dataDir, { recursive: true, force: true })
})

async function run({ settings = config, logger = pino({ level: 'silent' }) } = {}) {
  const starting = await runDevnet({ dataDir, config: settings, logger })
  stops.push(() => starting.stop())
  return starting
}

/** Of the chain, and of the devnet that started it. */
async function readPids(): Promise<number[]> {
  const text = await readFile(join(dataDir, 'devnet', '31337', 'anvil.pid'), 'utf8')
  return text.split(' ').map(Number)
}

/** A zombie, whose parent does not reap, is no running process. */
async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z ')
  return !/\) Z /.test(stat)
}

it('a devnet runs in a process of its own, which ends with its chains when the service stops it', async () => {
  const starting = await run()
  const { settings, file, asp } = await starting.running
  expect(settings.chains[0]?.relayer?.feeReceiverKey).toBe(starting.feeReceiverKey)
  expect([file, asp]).toEqual([join(dataDir, 'devnet.json'), null])
  const rpcUrl = settings.chains[0]?.rpcUrls[0] ?? ''
  expect(await askNode(rpcUrl, 'eth_chainId')).toBe('0x7a69')
  const pids = await readPids()
  expect(pids).not.toContain(process.pid)
  await starting.stop()
  expect(await Promise.all(pids.map(isRunning))).toEqual([false, false])
})

it('a devnet whose service is killed ends, and the next service resumes its chains at once', async () => {
  const program = fileURLToPath(new URL('./devnet-parent.ts', import.meta.url))
  const service = fork(program, [JSON.stringify({ dataDir, config })], { execArgv: [] })
  await once(service, 'message')
  const pids = await readPids()
  service.kill('SIGKILL')
  await once(service, 'exit')
  await (
    await run()
  ).running
  expect(await Promise.all(pids.map(isRunning))).toEqual([false, false])
})

it('the log says once that a devnet ended by itself', async () => {
  const lines: string[] = []
  const logger = pino({ level: 'error' }, { write: (line) => void lines.push(line) })
  const starting = await run({ logger })
  await starting.running
  const [, pid = 0] = await readPids()
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    how: 'SIGKILL',
    msg: expect.stringContaining('the devnet ended') as unknown,
  })
  await starting.stop()
  expect(lines).toHaveLength(1)
})

it('a devnet that cannot start says why', async () => {
  const guest = createServer().listen(0, '127.0.0.1')
  stops.push(async () => void guest.close())
  await once(guest, 'listening')
  const { port } = guest.address() as AddressInfo
  const { running } = await run({ settings: devnetConfig.parse({ ...alone, asp: true, aspPort: port }) })
  await expect(running).rejects.toThrow(
    new DevnetError(
      `The devnet did not start: The devnet's ASP did not start (exit code 1): is port ${port} taken? ASP_PORT=0 takes a free one`,
    ),
  )
})

it('a devnet that dies while it starts is an error, and is not awaited', async () => {
  const dying = `const { send } = process
    process.send = (message) => send.call(process, message, () => process.kill(process.pid, 'SIGKILL'))`
  const { NODE_OPTIONS = '' } = process.env
  process.env['NODE_OPTIONS'] = `--import=data:text/javascript,${encodeURIComponent(dying)}`
  const starting = run()
  process.env['NODE_OPTIONS'] = NODE_OPTIONS
  const { running } = await starting
  await expect(running).rejects.toThrow(new DevnetError('The devnet ended by itself (SIGKILL)'))
})
