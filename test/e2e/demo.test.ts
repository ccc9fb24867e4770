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

test(
  'the demo withdraws from a native and a token pool with proofs of its own',
  { timeout: 180_000 },
  async () => {
    const { code, stdout, stderr } = await runCli('test/e2e/examples/demo/main.ts', [], {
      ...env,
      PORT: new URL(service.url).port,
    })
    expect(code, `${stdout}\n${stderr}`).toBe(0)
    expect(stdout.match(/confirmed/gi)?.length, stdout).toBeGreaterThanOrEqual(2)
  },
)

test('the demo says what to do when the service does not run', async () => {
  const { code, stdout, stderr } = await runCli('test/e2e/examples/demo/main.ts', [], { DATA_DIR: dataDir, PORT: '9' })
  expect(code).toBe(1)
  expect(stdout + stderr).toMatch(/npm start/)
})

test('stopped and started again, the service keeps its chains and its database', async () => {
  const before = await fetch(`${service.url}/status.json`).then((answer) => answer.json())
  expect(await service.stop()).toBe(0)
  await service.start()
  const after = await fetch(`${service.url}/status.json`).then((answer) => answer.json())
  expect(after.requests).toEqual(before.requests)
  expect(after.requests.confirmed).toBe(2)
  expect(after.ledger).toEqual(before.ledger)
})
