import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../db/embedded-postgres/start-embedded-postgres.ts'
import { STANDING_ALARMS } from '../../gateway/alarms.ts'
import { createLogger } from '../../gateway/logging.ts'
import { askNode } from '../harness/ask-node.ts'
import { call } from '../harness/call.ts'
import { mountSmallDisk } from '../harness/mount-small-disk.ts'
import { createServiceProcess, type ServiceProcess } from '../harness/service-process.ts'
import { startTestDevnet, type TestDevnet } from '../harness/start-test-devnet.ts'
import { openAccount } from '../relayer/account/open-account.ts'

/** Enough for an empty database with its WAL. */
const MEGABYTES = 300
const LOOKS = { interval: 500, timeout: 150_000 }

const disk = mountSmallDisk(MEGABYTES, 'a database whose disk is full')

describe.runIf(disk)('a service whose database is on a disk that fills up', () => {
  let world: TestDevnet
  let server: EmbeddedPostgres
  let service: ServiceProcess
  let folder: string
  let account: Awaited<ReturnType<typeof openAccount>>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'full-disk-'))
    world = await startTestDevnet({ deterministic: true })
    server = await startEmbeddedPostgres({ dataDir: disk!.folder, logger: createLogger({ level: 'silent' }) })
    const file = join(folder, 'config.json')
    const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
    await writeFile(file, JSON.stringify({ chains: world.devnet.chains }, asText))
    service = await createServiceProcess({ CONFIG: file, DATABASE_URL: server.url, DATA_DIR: folder })
    await service.start()
    account = await openAccount(service.url)
  })
  afterAll(async () => {
    disk?.empty()
    await service?.stop()
    await server?.stop()
    await world?.[Symbol.asyncDispose]()
    disk?.unmount()
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  const read = async (path: string) => (await call(`${service.url}${path}`)).text
  const readAlarms = async () =>
    (JSON.parse(await read('/status.json')) as { alarms: { code: string }[] }).alarms.map(({ code }) => code)
  const mine = () => askNode(world.chain.rpcUrl, 'evm_mine')
  const receive = () => account.send('POST', `${account.path}/payment-address`, {})

  test('headline, status, metric, log and readiness say so, and all goes on once there is room', async () => {
    expect((await receive()).status).toBe(201)
    await expect
      .poll(async () => {
        // The server gives room back now and then.
        disk!.fill()
        await mine()
        return readAlarms()
      }, LOOKS)
      .toContain('DATABASE_FULL')
    const page = await read('/')
    expect(page).toContain('<section class="alarm" data-alarm="DATABASE_FULL">')
    expect(page).toContain(STANDING_ALARMS.DATABASE_FULL.message)
    expect(await read('/metrics')).toMatch(/^alarms\{code="DATABASE_FULL",chain=""\} 1/m)
    const ready = await call(`${service.url}/health/ready`)
    expect(ready).toMatchObject({
      status: 503,
      json: { ready: false, checks: { database: { detail: 'no space left on its disk' } } },
    })
    await expect
      .poll(
        () =>
          service
            .output()
            .split('\n')
            .filter((line) => line.includes('"alarm":"DATABASE_FULL"')).length,
        LOOKS,
      )
      .toBe(1)
    expect(service.output()).not.toContain('"stack"')

    disk!.empty()
    await expect.poll(readAlarms, LOOKS).not.toContain('DATABASE_FULL')
    await expect.poll(async () => (await call(`${service.url}/health/ready`)).status, LOOKS).toBe(200)
    expect((await receive()).status).toBe(201)
  })
})
