import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { diagnose } from '../../../gateway/admin/doctor/diagnose.ts'
import { loadConfig } from '../../../gateway/config/load-config.ts'
import { findFreePort } from '../../harness/find-free-port.ts'
import { openEmptyDatabase, openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'
import { runCli } from '../../harness/run-cli.ts'
import { startTestDevnet, type TestDevnet } from '../../harness/start-test-devnet.ts'
import { startNode, type Node } from '../../relayer/chain/broadcast/start-node.ts'
import { startPriceProvider } from '../../relayer/market/prices/start-price-provider.ts'
import { TEST_MASTER_KEY } from '../../relayer/identity/open-instance.ts'

let devnet: TestDevnet
let foreign: Node
let database: TestDatabase
let folder: string
beforeAll(async () => {
  devnet = await startTestDevnet()
  foreign = await startNode('--chain-id', '1')
  database = await openTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'doctor-'))
})
afterAll(async () => {
  await devnet?.[Symbol.asyncDispose]()
  await foreign?.stop()
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

/** The environment of a service with the devnet's chain, changed. */
async function configure(
  change: (chain: Record<string, unknown>) => object,
  more: object = {},
): Promise<Record<string, string>> {
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  const chain = JSON.parse(JSON.stringify(devnet.devnet.chains[0], asText)) as Record<string, unknown>
  const file = join(folder, `${crypto.randomUUID()}.json`)
  await writeFile(file, JSON.stringify({ ...more, chains: [{ ...chain, ...change(chain) }] }))
  return {
    CONFIG: file,
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    MASTER_KEYS: TEST_MASTER_KEY.toString('hex'),
    PORT: '0',
  }
}

async function findTable(url: string, name: string): Promise<unknown> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query('select to_regclass($1) as found', [name])).rows[0].found
  } finally {
    await client.end()
  }
}

async function examine(env: Record<string, string>) {
  const lines: string[] = []
  const isWell = await diagnose(
    loadConfig(env, () => {}),
    (line) => lines.push(line),
  )
  return { isWell, text: lines.join('\n') }
}

it('of a service in order only the tests’ own database has an error: it forgets in a crash', async () => {
  const { text } = await examine(await configure(() => ({})))
  const errors = text.split('\n').filter((line) => line.startsWith('ERROR'))
  expect(errors).toEqual(['ERROR PostgreSQL: has fsync off and synchronous_commit on'])
  expect(text).toMatch(/has code at all \d+ addresses/)
  expect(text).toContain('has a pool for ETH')
  expect(text).toContain('has contracts for sending that belong together')
  expect(text).toContain('ports: are free')
  expect(text).toMatch(/\nerrors: 1, warnings: \d+, in order: \d+$/)
})

it('of a database it says what the first start will do, and does not do it', async () => {
  const empty = await openEmptyDatabase()
  try {
    const env = { ...(await configure(() => ({}))), DATABASE_URL: empty.url }
    const { text } = await examine(env)
    expect(text).toMatch(/ok {4}PostgreSQL: gets the tables of this version at the first start, by \d+ files/)
    expect(await findTable(empty.url, 'account')).toBe(null)
    expect((await examine(await configure(() => ({})))).text).toContain('has the tables of this version')
    // As it would through a pooler, which refuses settings of a session.
    const pooled = await examine({ ...env, DATABASE_DIRECT_URL: empty.url })
    expect(pooled.text).toContain('has jit off and plan_cache_mode auto for this role')
  } finally {
    await empty.drop()
  }
})

it('a dead node, one of another chain, a wrong address, an empty signer and a missing Redis are named with the change', async () => {
  const key = generatePrivateKey()
  const dead = `http://127.0.0.1:${await findFreePort()}`
  const env = await configure(({ rpcUrls, relayer, sending }) => ({
    rpcUrls: [dead, foreign.url, ...(rpcUrls as string[])],
    relayer: { ...(relayer as object), signerKeys: [key] },
    sending: { ...(sending as object), simulator: '0x00000000000000000000000000000000c0de0001' },
  }))
  const redis = `redis://127.0.0.1:${await findFreePort()}`
  const { isWell, text } = await examine({ ...env, REDIS_URL: redis })
  expect(isWell).toBe(false)
  expect(text).toContain(`node ${new URL(dead).host}: does not answer`)
  expect(text).toContain(`node ${new URL(foreign.url).host}: serves chain 1`)
  expect(text).toMatch(/`sending\.simulator` names 0x\w+, which has no code/)
  expect(text).toContain(`signer ${privateKeyToAddress(key)} has 0 ETH, less than one relay`)
  expect(text).toContain('ERROR Redis: does not answer')
  expect(text).not.toContain(key.slice(2))
})

it('fees of relays and sends that go to one address by different settings are named', async () => {
  const mainnet = await configure(() => ({ isTestnet: false }))
  const { text } = await examine(mainnet)
  expect(text).toContain('ERROR settings: send fees of relays and of sends of chain 31337 to one address')
  const file = JSON.parse(await readFile(mainnet['CONFIG']!, 'utf8')) as {
    chains: { relayer: { feeReceiverKey: Hex } }[]
  }
  const sameAddress = privateKeyToAddress(file.chains[0]!.relayer.feeReceiverKey)
  await writeFile(
    mainnet['CONFIG']!,
    JSON.stringify({ ...file, transact: { feeReceivers: { 31337: sameAddress } } }),
  )
  expect((await examine(mainnet)).text).toContain('to one address')
  const other = privateKeyToAddress(generatePrivateKey())
  await writeFile(
    mainnet['CONFIG']!,
    JSON.stringify({ ...file, transact: { feeReceivers: { 31337: other } } }),
  )
  expect((await examine(mainnet)).text).not.toContain('to one address')
})

it('a provider of prices that refuses, a coin without a price and a busy port are named', async () => {
  const provider = await startPriceProvider([
    { id: 'ethereum', symbol: 'eth', name: 'Ether', platforms: {}, usd: '3000' },
  ])
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  try {
    const source = {
      kind: 'coingecko',
      url: provider.url,
      apiKey: 'a-secret-key',
      platforms: { 31337: { nativeId: 'ethereum' } },
      requestsPerMinute: 10_000,
    }
    const env = await configure(() => ({ nativeUsd: undefined }), { prices: { sources: [source] } })
    const { port } = holder.address() as AddressInfo
    const { host } = new URL(provider.url)
    const well = await examine({ ...env, PORT: String(port) })
    expect(well.text).toContain(`prices: come from ${host}: of 1 native coins`)
    expect(well.text).toMatch(/ERROR ports: cannot be opened\n {6}Port \d+ of 127\.0\.0\.1 is in use/)
    provider.answerWith((response) => response.writeHead(401).end('{}'))
    const refused = await examine(env)
    expect(refused.text).toContain(`ERROR prices: do not come from ${host}`)
    expect(refused.text).toMatch(/warn {2}prices: are missing for ETH of chain 31337/)
    expect(refused.text).not.toContain('a-secret-key')
  } finally {
    holder.close()
    await provider.stop()
  }
})

it('a database that is away is a finding, and the rest is examined', async () => {
  const env = await configure(() => ({}))
  const away = `postgres://relay:secret@127.0.0.1:${await findFreePort()}/relay`
  const { code, stdout } = await runCli('gateway/admin/main.ts', ['doctor'], { ...env, DATABASE_URL: away })
  expect(code).toBe(1)
  expect(stdout).toMatch(/ERROR PostgreSQL: cannot be used/)
  expect(stdout).toMatch(/ok {4}chain 31337 .*: has code at all/)
  expect(stdout).not.toContain('secret')
})
