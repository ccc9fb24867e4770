import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openNewClient } from '../../schema/client/account/open-client.ts'
import { startDemoService, type DemoService } from '../harness/start-demo-service.ts'

let demo: DemoService
beforeAll(async () => {
  demo = await startDemoService()
})
afterAll(() => demo?.stop())

test('the demo plays a single story when it is named', async () => {
  const { code, stdout } = await demo.runDemo(['accounts'])
  expect([code, /^Accounts:/m.test(stdout), /^Relay:/m.test(stdout)]).toEqual([0, true, false])
})

test('the demo converts, spends blindly and telling, and takes a declined deposit back', async () => {
  const { code, stdout, stderr } = await demo.runDemo(['pool'])
  expect(code, `${stdout}\n${stderr}`).toBe(0)
  expect(stdout).not.toContain('✗')
  expect(stdout).toMatch(/^ +arrived +0\.39\d* ETH at 0x/m)
  expect(stdout).toMatch(/^ +change +0\.6 ETH$/m)
  expect(stdout).toMatch(/^ +paid +1(49|50)\.?\d* TUSD to 0x/m)
  expect(stdout).toMatch(/^ +to oneself +1(49|50)\.?\d* TUSD at 0x/m)
  expect(stdout).toMatch(/^ +came back +19\d\.\d+ TUSD at 0x/m)
})

test('the demo sells for cash, relays, and reviews deposits', async () => {
  const { code, stdout, stderr } = await demo.runDemo(['cash', 'relay', 'review'])
  expect(code, `${stdout}\n${stderr}`).toBe(0)
  expect(stdout).not.toContain('✗')
  expect(stdout.match(/^ +received /gm), stdout).toHaveLength(2)
  expect(stdout).toMatch(/^ +would bring +100\.00 USD, at least 98\.00 USD$/m)
  for (const phase of ['listed', 'matched', 'partially_filled'])
    expect(stdout).toMatch(new RegExp(` · ${phase}$`, 'm'))
  expect(stdout).toMatch(/^ +A has +[\d.]+ TUSD = 150 TUSD − 60 TUSD sold − [\d.]+ TUSD fees$/m)
  const reviews = [...stdout.matchAll(/^ +review +(.*)$/gm)].map(([, counts]) => counts)
  const [first, skipped, dusted, back] = reviews
  expect([first, skipped, dusted, back, reviews.at(-1)], stdout).toEqual([
    '1 needs review',
    '1 skipped',
    '1 skipped',
    '1 needs review',
    '1 done',
  ])
  expect(stdout).toMatch(/^ +note +1\.4\d+ ETH, approved$/m)
})

test("the demo spends nothing on a chain that is not the devnet's", async () => {
  const described = JSON.parse(await readFile(join(demo.dataDir, 'devnet.json'), 'utf8'))
  const describe = async (changes: object) => {
    const folder = await mkdtemp(join(demo.dataDir, 'other-'))
    const chains = [{ ...described.chains[0], ...changes }]
    await writeFile(join(folder, 'devnet.json'), JSON.stringify({ ...described, chains }))
    return demo.runDemo([], { DATA_DIR: folder })
  }
  const foreign = await describe({ chainId: 1 })
  expect([foreign.code, foreign.stderr]).toEqual([1, expect.stringContaining('not the devnet (1)')])
  const stopped = await describe({ rpcUrl: 'http://127.0.0.1:9' })
  expect([stopped.code, stopped.stderr]).toEqual([1, expect.stringContaining('is no devnet 31337')])
})

test('the service keeps its chains and its database when it is restarted', async () => {
  const { service } = demo
  expect((await demo.runDemo(['relay'])).code).toBe(0)
  const before = await fetch(`${service.url}/status.json`).then((answer) => answer.json())
  expect(await service.stop()).toBe(0)
  await service.start()
  const after = await fetch(`${service.url}/status.json`).then((answer) => answer.json())
  expect(after.requests).toEqual(before.requests)
  expect(after.requests.confirmed).toBeGreaterThanOrEqual(2)
  expect(after.ledger).toEqual(before.ledger)
  // A resumed chain cannot trace blocks before its start; the past of new addresses is read nevertheless.
  const client = await openNewClient({ url: service.url })
  await client.receive()
  const readIndexing = async () => {
    const { indexing } = await fetch(`${service.url}/status.json`).then((answer) => answer.json())
    return indexing as { watchedAddresses: number; backfilling: number; problem: string | null }[]
  }
  const watched: number = before.indexing[0].watchedAddresses
  await expect
    .poll(readIndexing)
    .toMatchObject(after.chains.map(() => ({ watchedAddresses: watched + 1, backfilling: 0, problem: null })))
})
