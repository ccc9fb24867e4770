import { parseGwei, toFunctionSelector, toHex, zeroAddress, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { STANDING_ALARMS, type AlarmCode } from '../../gateway/alarms.ts'
import { call } from '../harness/call.ts'
import { openFaultyService, PLACEHOLDER, type FaultyService } from '../harness/open-faulty-service.ts'
import { findRedisServer } from '../harness/start-redis.ts'
import { openAccount } from '../relayer/account/open-account.ts'
import { standStill } from '../relayer/chain/nodes/lag.ts'

const program = findRedisServer('faults of all parts of a service')
/** Of looks for alarms, which come after seconds, on a busy machine after a minute: each look costs milliseconds of CPU. */
const LOOKS = { interval: 400, timeout: 150_000 }
/** Enough for some relays, fewer than `broadcast.minRunway`. */
const SOON_EMPTY = '0x11c37937e08000'
const FOREIGN = `0x${'f0'.repeat(32)}`
/** Questions for pools alone. */
const POOL_READS = ['latestRoot()', 'currentRoot()', 'currentTreeSize()'].map(toFunctionSelector)

let world: FaultyService
let { service, doors, liars, chainId, ask } = {} as FaultyService
let account: Awaited<ReturnType<typeof openAccount>>

const mine = (blocks?: number) => world.mine(blocks)

beforeAll(async () => {
  if (!program) return
  world = await openFaultyService(program, { deterministic: true })
  ;({ service, doors, liars, chainId, ask } = world)
  account = await openAccount(service.url)
})
afterAll(() => world?.close())

interface Shown {
  code: AlarmCode
  chainId: number | null
  subject: string | null
  detail: string
}

const read = async (path: string) => {
  const answer = await call(`${service.url}${path}`)
  expect([path, answer.status]).toEqual([path, 200])
  return answer.text
}
const readAlarms = async () => (JSON.parse(await read('/status.json')) as { alarms: Shown[] }).alarms
const readHealth = async () => (await call(`${service.url}/health/ready`)).json
const logged = (code: AlarmCode) =>
  service
    .output()
    .split('\n')
    .filter((line) => line.includes(`"alarm":"${code}"`) && line.includes(STANDING_ALARMS[code].message))

/** A payment that this account cannot afford: anything that stops all sends comes first. */
const quote = () =>
  account.send('POST', `${account.path}/quote`, {
    type: 'send',
    chainId,
    token: zeroAddress,
    amount: '1',
    destinationAddress: privateKeyToAddress(generatePrivateKey()),
  })

/** Waits until an alarm stands, and checks that status, page, metric and log show it in its words. */
async function expectAlarm(code: AlarmCode, { chain = '', before = 0, isWorst = true } = {}): Promise<Shown> {
  const find = async () => (await readAlarms()).find((alarm) => alarm.code === code)
  await expect.poll(find, { message: code, ...LOOKS }).toBeDefined()
  const page = await read('/')
  expect(page).toContain(STANDING_ALARMS[code].message)
  expect(page).toContain(`href="/alarms#${code}"`)
  if (isWorst) expect(page).toContain(`<section class="alarm" data-alarm="${code}">`)
  await expect
    .poll(() => read('/metrics'))
    .toMatch(new RegExp(String.raw`^alarms\{code="${code}",chain="${chain}"\} [1-9]`, 'm'))
  // The output of a process comes later than its answers.
  await expect
    .poll(() => logged(code).length - before, { message: `log entries of ${code}`, ...LOOKS })
    .toBe(1)
  expect(await read('/alarms')).toContain(`id="${code}"`)
  return (await find())!
}

/** Waits until it is over. */
const expectOver = (code: AlarmCode) =>
  expect
    .poll(async () => (await readAlarms()).map((alarm) => alarm.code), { message: code, ...LOOKS })
    .not.toContain(code)

describe.runIf(program)('every fault has its alarm in log, page, metric and status', () => {
  test('a placeholder for a contract and a wrong address of a venue are named from the start', async () => {
    const contract = await expectAlarm('CONTRACT_MISSING', { chain: String(chainId) })
    expect(contract).toMatchObject({ chainId, subject: 'relayer.multicall' })
    const venue = await expectAlarm('VENUE_DOWN', { chain: String(chainId), isWorst: false })
    expect(venue).toMatchObject({ chainId, subject: 'venues.kyberswap.url' })
    const { version } = JSON.parse(await read('/version')) as { version: string }
    expect(await read('/metrics')).toContain(`build_info{version="${version}"`)
    expect(await read('/')).toContain(`<dd>${version}</dd>`)
  })

  test('one of two nodes that is dead, hangs or answers HTTP 500 is named, and clients are answered', async () => {
    for (const fault of ['dead', 'hanging', 'failing']) {
      // A busy machine may have raised it by itself.
      await expectOver('NODE_DOWN')
      const held = fault === 'hanging' ? doors[0].hold('all') : null
      const before = logged('NODE_DOWN').length
      if (fault === 'dead') doors[0].shut('all')
      if (fault === 'failing') doors[0].fail()
      const alarm = await expectAlarm('NODE_DOWN', { chain: String(chainId), before, isWorst: false })
      expect(alarm.subject).toBe(new URL(doors[0].url).host)
      expect(await read('/metrics')).toMatch(
        new RegExp(`^chain_node_errors_total\\{chain="${chainId}",node="${alarm.subject}"\\} [1-9]`, 'm'),
      )
      expect((await quote()).status).toBe(400)
      held?.letGo()
      doors[0].open()
      await expectOver('NODE_DOWN')
    }
  })

  test('a quote gets an error with a code while every node hangs', async () => {
    const held = doors.map((door) => door.hold('all'))
    const refused = await quote()
    expect(refused.status).toBeGreaterThanOrEqual(502)
    expect(refused.json).toHaveProperty('code')
    for (const one of held) one.letGo()
    await expectOver('CHAIN_DOWN')
    await expectOver('NODE_DOWN')
  })

  test('a preferred node that lags is passed over and named', async () => {
    const height = Number(await ask('eth_blockNumber'))
    const node = { ask } as Parameters<typeof standStill>[1]
    standStill(liars[0], node, height)
    await mine(64)
    const alarm = await expectAlarm('NODE_LAGS', { chain: String(chainId), isWorst: false })
    expect(alarm.subject).toBe(new URL(doors[0].url).host)
    await expect.poll(() => read('/metrics')).toContain(`chain_head_block{chain="${chainId}"} ${height + 64}`)
    expect((await quote()).status).toBe(400)
    standStill(liars[0], node, null)
    await expectOver('NODE_LAGS')
  })

  test('a node that shows a head far ahead is not believed, and named', async () => {
    const height = Number(await ask('eth_blockNumber'))
    const raise = (number: unknown) => toHex(BigInt(number as string) + 10_000n)
    liars[0].alter('eth_blockNumber', raise)
    liars[0].alter('eth_getBlockByNumber', (answer, [tag]) => {
      const block = answer as { number: string } | null
      return block && tag === 'latest' ? { ...block, number: raise(block.number), hash: FOREIGN } : block
    })
    const alarm = await expectAlarm('NODE_LIES', { chain: String(chainId), isWorst: false })
    expect(alarm.subject).toBe(new URL(doors[0].url).host)
    await mine()
    await expect.poll(() => read('/metrics')).toContain(`chain_head_block{chain="${chainId}"} ${height + 1}`)
    for (const method of ['eth_blockNumber', 'eth_getBlockByNumber']) liars[0].alter(method)
    await expectOver('NODE_LIES')
  })

  test('blocks that no node shows whole, and pools that none can read, are alarms of their own', async () => {
    for (const door of doors) door.shut(['eth_getBlockReceipts', 'eth_getTransactionReceipt', 'eth_getLogs'])
    onTestFinished(() => doors.forEach((door) => door.open()))
    await ask('eth_sendTransaction', {
      from: (await ask<Address[]>('eth_accounts'))[0],
      to: PLACEHOLDER,
      value: '0x1',
    })
    await mine()
    await expectAlarm('INDEXING_STOPPED', { chain: String(chainId), isWorst: false })
    for (const door of doors) door.open()
    await expectOver('INDEXING_STOPPED')

    for (const door of doors) door.shut(POOL_READS)
    await mine()
    await expectAlarm('POOL_STALE', { chain: String(chainId), isWorst: false })
    for (const door of doors) door.open()
    await expectOver('POOL_STALE')
    await expectOver('NODE_DOWN')
  })

  test('a node of another chain is left out and named', async () => {
    liars[1].alter('eth_chainId', () => '0x1')
    liars[1].drop()
    doors[1].shut('all')
    await expect.poll(async () => (await readAlarms()).map(({ code }) => code)).toContain('NODE_DOWN')
    doors[1].open()
    const alarm = await expectAlarm('WRONG_CHAIN', { chain: String(chainId) })
    expect(alarm).toMatchObject({ subject: new URL(doors[1].url).host, chainId })
    expect((await quote()).status).toBe(400)
    liars[1].alter('eth_chainId')
    await expectOver('WRONG_CHAIN')
  })

  test('a chain whose nodes are all dead is red, and its clients get a code', async () => {
    const before = logged('CHAIN_DOWN').length
    for (const door of doors) door.shut('all')
    onTestFinished(() => doors.forEach((door) => door.open()))
    const alarm = await expectAlarm('CHAIN_DOWN', { chain: String(chainId), before })
    for (const door of doors) expect(alarm.detail).toContain(new URL(door.url).host)
    expect(await read('/')).toContain('down</span>')
    expect(await readHealth()).toMatchObject({ canSend: { [chainId]: { sends: false, relays: false } } })
    const refused = await quote()
    expect(refused.status).toBeGreaterThanOrEqual(502)
    expect(refused.json).toHaveProperty('code')
    for (const door of doors) door.open()
    await expectOver('CHAIN_DOWN')
  })

  test('signers without coins and a base fee above the cap stop sends before funds are locked', async () => {
    const { chains } = JSON.parse(await read('/status.json')) as {
      chains: { signers: { address: Address }[] }[]
    }
    const signers = chains.flatMap((chain) => chain.signers).map((signer) => signer.address)
    for (const address of signers) await ask('anvil_setBalance', address, '0x1')
    await mine()
    // One for each duty.
    await expectAlarm('SIGNER_DRY', { chain: String(chainId), before: 1 })
    expect(await readHealth()).toMatchObject({
      ready: true,
      canSend: { [chainId]: { sends: false, relays: false } },
    })
    expect(await quote()).toMatchObject({ status: 503, json: { code: 'NO_GAS_FOR_SENDING' } })
    for (const address of signers) await ask('anvil_setBalance', address, SOON_EMPTY)
    await mine()
    await expectAlarm('SIGNER_LOW', { chain: String(chainId), before: signers.length - 1, isWorst: false })
    await expectOver('SIGNER_DRY')
    for (const address of signers) await ask('anvil_setBalance', address, '0xde0b6b3a7640000000')
    await mine()
    await expectOver('SIGNER_LOW')

    await ask('anvil_setNextBlockBaseFeePerGas', `0x${parseGwei('150').toString(16)}`)
    await mine()
    await expectAlarm('BASE_FEE_ABOVE_CAP', { chain: String(chainId) })
    const refused = await quote()
    expect(refused).toMatchObject({ status: 503, json: { code: 'GAS_PRICE_ABOVE_CAP' } })
    expect(refused.headers.get('retry-after')).toBe('60')
    await ask('anvil_setNextBlockBaseFeePerGas', '0x3b9aca00')
    await mine()
    await expectOver('BASE_FEE_ABOVE_CAP')
  })

  test('a clock that is 90 minutes ahead is an alarm that says by how much', async () => {
    service.signal('SIGUSR2')
    const alarm = await expectAlarm('CLOCK_DRIFT')
    expect(alarm.detail).toContain('90 min ahead of')
    service.signal('SIGUSR2')
    await expectOver('CLOCK_DRIFT')
  })

  test('without Redis the service goes on, with one entry in its log', async () => {
    const printed = service.output().length
    await world.stopRedis()
    await expectAlarm('REDIS_DOWN', { isWorst: false })
    await mine(3)
    expect((await quote()).status).toBe(400)
    expect(service.output().slice(printed)).not.toContain('"stack"')
    await world.resumeRedis()
    await expectOver('REDIS_DOWN')
  })

  test('a full disk of the database is the headline, and the service is not ready', async () => {
    const printed = service.output().length
    await world.fillDisk()
    await mine()
    await expectAlarm('DATABASE_FULL')
    await expect
      .poll(readHealth)
      .toMatchObject({ ready: false, checks: { database: { detail: 'no space left on its disk' } } })
    expect(service.output().slice(printed)).not.toContain('"stack"')
    await world.freeDisk()
    await expectOver('DATABASE_FULL')
  })

  test('without the database pages, metrics and status work, and clients get 503 with a code', async () => {
    const printed = service.output().length
    world.toDatabase.shut()
    await expectAlarm('DATABASE_DOWN')
    expect(await read('/')).toContain('Figures of the database are those from before.')
    await expect.poll(readHealth).toMatchObject({ ready: false, checks: { database: { ok: false } } })
    await mine(2)
    for (const refused of [await quote(), await account.send('GET', `${account.path}/balance`)]) {
      expect(refused).toMatchObject({ status: 503, json: { code: 'DATABASE_AWAY' } })
      expect(refused.headers.get('retry-after')).toBe('5')
    }
    world.toDatabase.open()
    await expectOver('DATABASE_DOWN')
    expect(service.output().slice(printed)).not.toContain('"stack"')
    expect((await quote()).status).toBe(400)
  })
})
