import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../harness/run-cli.ts'
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

test('the demo says what to do when it cannot be played', async () => {
  const unknown = await runDemo(['nonsense'])
  expect(unknown.code).toBe(1)
  expect(unknown.stderr).toMatch(/no story nonsense[^]*accounts\|/)
  const nobody = await runDemo([], { PORT: '9' })
  expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringMatching(/Nothing .* http:.*npm start/)])
  const noDevnet = await runDemo([], { DATA_DIR: join(dataDir, 'elsewhere') })
  expect([noDevnet.code, noDevnet.stderr]).toEqual([1, expect.stringMatching(/no devnet in .*npm start/)])
})
