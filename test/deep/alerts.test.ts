import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseGwei, toFunctionSelector, toHex, type Address } from 'viem'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { STANDING_ALARMS, type AlarmCode } from '../../gateway/alarms.ts'
import { findFreePort } from '../harness/find-free-port.ts'
import { findProgram } from '../harness/find-program.ts'
import { openFaultyService, PLACEHOLDER, type FaultyService } from '../harness/open-faulty-service.ts'
import { findRedisServer } from '../harness/start-redis.ts'
import { standStill } from '../relayer/chain/nodes/lag.ts'

const SETTINGS = fileURLToPath(new URL('../../gateway/deploy/prometheus/', import.meta.url))
const THE_TEST = 'a test of alerts'
const redis = findRedisServer(THE_TEST)
const prometheus = findProgram('prometheus', THE_TEST)
const alertmanager = findProgram('prometheus-alertmanager', THE_TEST)
const canRun = Boolean(redis && prometheus && alertmanager)

/** An alert reaches its receiver within this time of the fault. */
const WITHIN_A_MINUTE = { interval: 250, timeout: 60_000 }
const OVER = { interval: 250, timeout: 120_000 }
const RICH = '0xde0b6b3a7640000000'
/** Enough for some relays, fewer than `broadcast.minRunway`. */
const SOON_EMPTY = '0x11c37937e08000'
const POOL_READS = ['latestRoot()', 'currentRoot()', 'currentTreeSize()'].map(toFunctionSelector)
const LACKING = { code: -32_000, message: 'missing trie node' }
const BLOCK_PARTS = ['eth_getBlockReceipts', 'eth_getTransactionReceipt', 'eth_getLogs']

interface Notice {
  status: 'firing' | 'resolved'
  labels: { alertname: string; chain?: string; severity: string }
}

let world: FaultyService
let folder: string
const stops: (() => Promise<unknown>)[] = []
/** All notices in the order in which the receiver got them. */
const notices: Notice[] = []

/** The alerts whose last notice says that they stand. */
function standing(): string[] {
  const last = new Map(notices.map((notice) => [`${notice.labels.alertname} ${notice.labels.chain}`, notice]))
  return [...last.values()].filter(({ status }) => status === 'firing').map(({ labels }) => labels.alertname)
}
const namesSince = (place: number) => [
  ...new Set(
    notices.slice(place).flatMap(({ status, labels }) => (status === 'firing' ? [labels.alertname] : [])),
  ),
]

async function startReceiver(): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    json(incoming).then(
      (body) => {
        notices.push(...(body as { alerts: Notice[] }).alerts)
        outgoing.writeHead(200).end()
      },
      () => outgoing.destroy(),
    )
  })
  const port = await findFreePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  stops.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${port}/`
}

/** Starts a program of Prometheus on a port of its own, and waits until it is ready. */
async function start(program: string, args: (port: number) => readonly string[]): Promise<number> {
  const port = await findFreePort()
  const child = spawn(program, [`--web.listen-address=127.0.0.1:${port}`, ...args(port)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  stops.push(async () => {
    const ended = once(child, 'exit')
    if (child.kill('SIGTERM')) await ended
  })
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error(output)
    return (await fetch(`http://127.0.0.1:${port}/-/ready`).catch(() => null))?.status
  }
  await vi.waitFor(async () => expect(await isReady()).toBe(200), OVER)
  return port
}

/** Starts both over the printed rules and settings. Only intervals are shorter: what a rule waits for is as printed. */
async function startMonitoring(target: string): Promise<void> {
  const read = (name: string) => readFile(join(SETTINGS, name), 'utf8')
  const receiver = await startReceiver()
  const routes = (await read('alertmanager.yml'))
    .replace('http://127.0.0.1:9095/', receiver)
    .replace('group_interval: 1m', 'group_interval: 1s')
  await writeFile(join(folder, 'alertmanager.yml'), routes)
  const managerPort = await start(alertmanager!, () => [
    `--config.file=${join(folder, 'alertmanager.yml')}`,
    `--storage.path=${join(folder, 'alertmanager')}`,
    '--cluster.listen-address=',
  ])
  const rules = (await read('alerts.yml')).replaceAll('"interval": "15s"', '"interval": "1s"')
  await writeFile(join(folder, 'alerts.yml'), rules)
  const settings = (await read('prometheus.yml'))
    .replaceAll('_interval: 15s', '_interval: 1s')
    .replace('alertmanager:9093', `127.0.0.1:${managerPort}`)
    .replace(/dns_sd_configs: .*/, `static_configs: [{ targets: ['${target}'] }]`)
  await writeFile(join(folder, 'prometheus.yml'), settings)
  await start(prometheus!, () => [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'prometheus')}`,
  ])
}

beforeAll(async () => {
  if (!canRun) return
  folder = await mkdtemp(join(tmpdir(), 'alerts-'))
  world = await openFaultyService(redis!, { blockTime: 1 })
  stops.push(() => world.close())
  await startMonitoring(new URL(world.service.url).host)
})
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

interface Fault {
  fault: string
  alert: AlarmCode | 'INSTANCE_DOWN'
  inject(): Promise<unknown> | void
  mend(): Promise<unknown> | void
}

const readStatus = async () =>
  (await (await fetch(`${world.service.url}/status.json`)).json()) as {
    alarms: { code: string }[]
    chains: { signers: { address: Address }[] }[]
  }

const listAlarms = async () => (await readStatus()).alarms.map(({ code }) => code)

async function fundSigners(balance: string): Promise<void> {
  const { chains } = await readStatus()
  const signers = chains.flatMap((chain) => chain.signers)
  for (const { address } of signers) await world.ask('anvil_setBalance', address, balance)
}

/** A node that claims to be this many blocks ahead of all others. */
function lie(aheadBy: bigint): void {
  const raise = (number: unknown) => toHex(BigInt(number as string) + aheadBy)
  world.liars[0].alter('eth_blockNumber', raise)
  world.liars[0].alter('eth_getBlockByNumber', (answer, [tag]) => {
    const block = answer as { number: string } | null
    return block && tag === 'latest'
      ? { ...block, number: raise(block.number), hash: `0x${'f0'.repeat(32)}` }
      : block
  })
}

const setBaseFee = (gwei: string) => world.ask('anvil_setNextBlockBaseFeePerGas', toHex(parseGwei(gwei)))

const openDoors = () => world.doors.forEach((door) => door.open())

const FAULTS: readonly Fault[] = [
  {
    fault: 'a dead node',
    alert: 'NODE_DOWN',
    inject: () => world.doors[0].shut('all'),
    mend: openDoors,
  },
  {
    fault: 'a node that answers HTTP 500',
    alert: 'NODE_DOWN',
    inject: () => world.doors[1].fail(),
    mend: openDoors,
  },
  {
    fault: 'a preferred node that stands still',
    alert: 'NODE_LAGS',
    async inject() {
      const height = Number(await world.ask('eth_blockNumber'))
      standStill(world.liars[0], { ask: world.ask } as Parameters<typeof standStill>[1], height)
      await world.mine(64)
    },
    mend: () => standStill(world.liars[0], { ask: world.ask } as Parameters<typeof standStill>[1], null),
  },
  {
    fault: 'a node that shows a head far ahead',
    alert: 'NODE_LIES',
    inject: () => lie(10_000n),
    mend() {
      for (const method of ['eth_blockNumber', 'eth_getBlockByNumber']) world.liars[0].alter(method)
    },
  },
  {
    fault: 'a node of another chain',
    alert: 'WRONG_CHAIN',
    async inject() {
      world.liars[1].alter('eth_chainId', () => '0x1')
      world.liars[1].drop()
      // The service compares chain ids at each new connection: this node's ends.
      world.doors[1].shut('all')
      await expect.poll(listAlarms, OVER).toContain('NODE_DOWN')
      world.doors[1].open()
    },
    mend: () => world.liars[1].alter('eth_chainId'),
  },
  {
    fault: 'a chain whose nodes are all dead',
    alert: 'CHAIN_DOWN',
    inject: () => world.doors.forEach((door) => door.shut('all')),
    mend: openDoors,
  },
  {
    fault: 'a chain that makes no blocks',
    alert: 'CHAIN_STALLED',
    inject: () => world.ask('evm_setIntervalMining', 0),
    mend: () => world.ask('evm_setIntervalMining', 1),
  },
  {
    fault: 'blocks that no node shows whole',
    alert: 'INDEXING_STOPPED',
    async inject() {
      for (const liar of world.liars) for (const method of BLOCK_PARTS) liar.refuse(method, LACKING)
      const [from] = await world.ask<Address[]>('eth_accounts')
      await world.ask('eth_sendTransaction', { from, to: PLACEHOLDER, value: '0x1' })
    },
    mend() {
      for (const liar of world.liars) for (const method of BLOCK_PARTS) liar.refuse(method)
    },
  },
  {
    fault: 'pools that no node can read',
    alert: 'POOL_STALE',
    inject() {
      const concerns = (params: readonly unknown[]) =>
        POOL_READS.some((selector) => JSON.stringify(params).includes(selector.slice(2)))
      for (const liar of world.liars) liar.refuse('eth_call', (params) => (concerns(params) ? LACKING : null))
    },
    mend() {
      for (const liar of world.liars) liar.refuse('eth_call')
    },
  },
  {
    fault: 'signers without coins',
    alert: 'SIGNER_DRY',
    inject: () => fundSigners('0x1'),
    mend: () => fundSigners(RICH),
  },
  {
    fault: 'signers with few coins',
    alert: 'SIGNER_LOW',
    inject: () => fundSigners(SOON_EMPTY),
    mend: () => fundSigners(RICH),
  },
  {
    fault: 'a base fee above the cap',
    alert: 'BASE_FEE_ABOVE_CAP',
    // So high that it stays above the cap for a minute of empty blocks, each an eighth cheaper.
    inject: () => setBaseFee('1000000'),
    mend: () => setBaseFee('1'),
  },
  {
    fault: 'a clock that is 90 minutes ahead',
    alert: 'CLOCK_DRIFT',
    inject: () => world.service.signal('SIGUSR2'),
    mend: () => world.service.signal('SIGUSR2'),
  },
  {
    fault: 'a Redis that is away',
    alert: 'REDIS_DOWN',
    inject: () => world.stopRedis(),
    mend: () => world.resumeRedis(),
  },
  {
    fault: 'a full disk of the database',
    alert: 'DATABASE_FULL',
    inject: () => world.fillDisk(),
    mend: () => world.freeDisk(),
  },
  {
    fault: 'a database that is away',
    alert: 'DATABASE_DOWN',
    inject: () => world.toDatabase.shut(),
    mend: () => world.toDatabase.open(),
  },
  {
    fault: 'an instance that hangs',
    alert: 'INSTANCE_DOWN',
    inject: () => world.service.signal('SIGSTOP'),
    mend: () => world.service.signal('SIGCONT'),
  },
]

/** Faults of the configuration, which stand from the start. */
const FROM_THE_START: readonly AlarmCode[] = ['CONTRACT_MISSING', 'VENUE_DOWN']
/** Raised by no fault that can be injected from outside; test/gateway/deploy/ tests its rule. */
const WITHOUT_FAULT: readonly AlarmCode[] = ['VERIFIERS_DISAGREE']

describe.runIf(canRun)('with Prometheus and Alertmanager', () => {
  test('a wrong contract and a wrong venue raise their alerts from the start, until they are corrected', async () => {
    await expect.poll(() => standing().toSorted(), WITHIN_A_MINUTE).toEqual(FROM_THE_START)
    await world.correct()
    await expect.poll(standing, OVER).toEqual([])
  })

  test.for(FAULTS)(
    '$alert, and no other alert, comes within a minute of $fault, and ends with it',
    async (given) => {
      const { alert, inject, mend } = given
      await expect.poll(standing, OVER).toEqual([])
      const place = notices.length
      await inject()
      try {
        await expect.poll(() => namesSince(place), WITHIN_A_MINUTE).toContain(alert)
      } finally {
        await mend()
      }
      await expect.poll(standing, OVER).toEqual([])
      expect(namesSince(place)).toEqual([alert])
      const { labels } = notices.slice(place).find(({ labels: { alertname } }) => alertname === alert)!
      const isPage = alert === 'INSTANCE_DOWN' || STANDING_ALARMS[alert].level === 'error'
      expect(labels.severity).toBe(isPage ? 'page' : 'ticket')
    },
  )
})

test('every alarm that a fault can raise has a fault here', () => {
  const injected = FAULTS.map(({ alert }) => alert)
  const all = [...injected, ...FROM_THE_START, ...WITHOUT_FAULT].filter((code) => code !== 'INSTANCE_DOWN')
  expect(new Set(all)).toEqual(new Set(Object.keys(STANDING_ALARMS)))
})
