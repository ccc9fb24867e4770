import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../harness/run-cli.ts'
import { openNewClient } from './examples/client.ts'
import { createServiceProcess, type ServiceProcess } from '../harness/service-process.ts'

let dataDir: string
let service: ServiceProcess
let env: Record<string, string>

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'demo-test-'))
  env = { DATA_DIR: dataDir, DEVNET_PORTS: '0,0', ASP_DELAY_SECONDS: '1' }
  service = await createServiceProcess(env)
  await service.start()
})
afterAll(async () => {
  await service?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const runDemo = (args: readonly string[] = [], changes: Record<string, string> = {}) =>
  runCli('test/e2e/examples/demo/main.ts', args, {
    ...env,
    PORT: new URL(service.url).port,
    ...changes,
  })

test('the demo plays every story to its end', { timeout: 180_000 }, async () => {
  const { code, stdout, stderr } = await runDemo()
  expect(code, `${stdout}\n${stderr}`).toBe(0)
  expect(stdout).not.toContain('✗')
  expect(stdout).toContain('1.250000000000000001 ETH')
  expect(stdout.match(/^ +receive .* at 0x/gm), stdout).toHaveLength(3)
  expect(stdout).toMatch(/^ +A has +[\d.]+ TUSD = 150 TUSD − 120 TUSD − [\d.]+ TUSD fees$/m)
  expect(stdout).toMatch(/^ +B has +120 TUSD$/m)
  expect(stdout.match(/^ +received /gm), stdout).toHaveLength(2)
})

test('one story alone is played by its name, and no other', async () => {
  const { code, stdout } = await runDemo(['accounts'])
  expect([code, /^Accounts:/m.test(stdout), /^Relay:/m.test(stdout)]).toEqual([0, true, false])
  const unknown = await runDemo(['nonsense'])
  expect(unknown.code).toBe(1)
  expect(unknown.stderr).toMatch(/no story nonsense[^]*accounts\|/)
})

test('the demo says what to do when the service does not run', async () => {
  const nobody = await runDemo([], { PORT: '9' })
  expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringMatching(/Nothing .* http:.*npm start/)])
  const noDevnet = await runDemo([], { DATA_DIR: join(dataDir, 'elsewhere') })
  expect([noDevnet.code, noDevnet.stderr]).toEqual([1, expect.stringMatching(/no devnet in .*npm start/)])
})

test('the demo spends nothing where the chain is not the devnet’s', async () => {
  const described = JSON.parse(await readFile(join(dataDir, 'devnet.json'), 'utf8'))
  const describe = async (changes: object) => {
    const folder = await mkdtemp(join(dataDir, 'other-'))
    const chains = [{ ...described.chains[0], ...changes }]
    await writeFile(join(folder, 'devnet.json'), JSON.stringify({ ...described, chains }))
    return runDemo([], { DATA_DIR: folder })
  }
  const foreign = await describe({ chainId: 1 })
  expect([foreign.code, foreign.stderr]).toEqual([1, expect.stringContaining('not the devnet (1)')])
  const stopped = await describe({ rpcUrl: 'http://127.0.0.1:9' })
  expect([stopped.code, stopped.stderr]).toEqual([1, expect.stringContaining('is no devnet 31337')])
})

test('stopped and started again, the service keeps its chains and its database', async () => {
  const before = await fetch(`${service.url}/status.json`).then((answer) => answer.json())
  expect(await service.stop()).toBe(0)
  await service.start()
  const after = await fetch(`${service.url}/status.json`).then((answer) => answer.json())
  expect(after.requests).toEqual(before.requests)
  expect(after.requests.confirmed).toBe(2)
  expect(after.ledger).toEqual(before.ledger)
  // A resumed chain cannot trace what was before: the past of new addresses is looked through all the same.
  const client = await openNewClient({ url: service.url })
  await client.receive()
  const readIndexing = async () => {
    const { indexing } = await fetch(`${service.url}/status.json`).then((answer) => answer.json())
    return indexing as { watchedAddresses: number; backfilling: number; problem: string | null }[]
  }
  const watched: number = before.indexing[0].watchedAddresses
  await expect
    .poll(readIndexing, { timeout: 20_000 })
    .toMatchObject(after.chains.map(() => ({ watchedAddresses: watched + 1, backfilling: 0, problem: null })))
})
