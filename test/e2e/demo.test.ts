import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDemoService, type DemoService } from '../harness/start-demo-service.ts'

let demo: DemoService
beforeAll(async () => {
  demo = await startDemoService()
})
afterAll(() => demo?.stop())

/** The others prove or wait for buyers, a minute of two cores: test/deep/demo.test.ts. */
const STORIES = ['accounts', 'send', 'swap']

test('the demo plays its stories to their end', { timeout: 300_000 }, async () => {
  const { code, stdout, stderr } = await demo.runDemo(STORIES)
  expect(code, `${stdout}\n${stderr}`).toBe(0)
  expect(stdout).not.toContain('✗')
  expect(stdout).toContain('1.250000000000000001 ETH')
  expect(stdout.match(/^ +receive .* at 0x/gm), stdout).toHaveLength(3)
  expect(stdout).toMatch(/^ +service fees +waived/m)
  expect(stdout).toMatch(/^ +collectible +sent to 0x\w+ without a fee$/m)
  expect(stdout).toMatch(/^ +A has +[\d.]+ TUSD = 150 TUSD − 120 TUSD − [\d.]+ TUSD fees$/m)
  expect(stdout).toMatch(/^ +B has +120 TUSD$/m)
  expect(stdout).toMatch(/^ +signs +Send tokens: Amount: [\d.]+ TUSD, To: 0x\w{40}$/m)
  expect(stdout).toMatch(/^ +route +CLASSIC$/m)
  expect(stdout).toMatch(/^ +at least +0\.29\d+ ETH \(slippage [\d.]+ %\)$/m)
  expect(stdout).toMatch(/^ +route +BRIDGE$/m)
  expect(stdout).toMatch(/^ +received +99\.9 TUSD on chain 31338 at 0x/m)
  for (const state of ['confirmed_source', 'completed', 'expired', 'refunded'])
    expect(stdout).toMatch(new RegExp(` · ${state}$`, 'm'))
  expect(stdout).toMatch(/^ +A has +[\d.]+ TUSD = [\d.]+ TUSD − [\d.]+ TUSD fees$/m)
  expect(stdout.match(/^ +received /gm), stdout).toHaveLength(2)
})

test('the demo says what to do when it cannot be played', async () => {
  const [unknown, nobody, noDevnet] = await Promise.all([
    demo.runDemo(['nonsense']),
    demo.runDemo([], { PORT: '9' }),
    demo.runDemo([], { DATA_DIR: join(demo.dataDir, 'elsewhere') }),
  ])
  expect(unknown.code).toBe(1)
  expect(unknown.stderr).toMatch(/no story nonsense[^]*accounts\|/)
  expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringMatching(/Nothing .* http:.*npm start/)])
  expect([noDevnet.code, noDevnet.stderr]).toEqual([1, expect.stringMatching(/no devnet in .*npm start/)])
})
