import { readFileSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { connectDatabase, sql } from '../../../db/connect-database.ts'
import { startEmbeddedPostgres } from '../../../db/embedded-postgres/start-embedded-postgres.ts'
import { runWritingService } from './run-writing-service.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'test-kill-'))
  await chmod(dataDir, 0o711)
})
afterEach(async () => {
  endServerOfFailedTest()
  await rm(dataDir, { recursive: true })
})

const serverPid = () =>
  Number(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0])

function endServerOfFailedTest(): void {
  try {
    process.kill(serverPid(), 'SIGQUIT')
  } catch {
    // The test has stopped it.
  }
}

/** Starts the server again and reads the killed service's rows. */
async function readWritten(): Promise<number[]> {
  const postgres = await startEmbeddedPostgres({ dataDir, logger: pino({ level: 'silent' }) })
  const pool = await connectDatabase(postgres.url)
  const rows = await pool.any(sql.type(z.object({ n: z.int() }))`select n from written order by n`)
  await pool.end()
  await postgres.stop()
  return rows.map(({ n }) => n)
}

/** All reported numbers, and at most one more whose report the kill prevented. */
function expectNothingLost(written: number[], committed: number[]): void {
  expect(written).toEqual(Array.from({ length: written.length }, (_, index) => index + 1))
  expect(written.slice(0, committed.length)).toEqual(committed)
  expect(written.length - committed.length).toBeLessThanOrEqual(1)
}

describe('kill -9', () => {
  it('of the service loses no data, and the service starts again at once', async () => {
    const service = await runWritingService(dataDir)
    process.kill(service.pid, 'SIGKILL')
    await service.ended
    expectNothingLost(await readWritten(), service.committed)
  })

  it('of the service and its database server together loses no data', async () => {
    const service = await runWritingService(dataDir)
    const pid = serverPid()
    process.kill(service.pid, 'SIGSTOP')
    process.kill(pid, 'SIGKILL')
    process.kill(service.pid, 'SIGKILL')
    await service.ended
    expectNothingLost(await readWritten(), service.committed)
  })

  it('may leave the database server running, which the next start then stops', async () => {
    // Without setpriv on PATH the server outlives the service; root could not start it at all then.
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    if (nobody.uid !== undefined) await chown(dataDir, nobody.uid, nobody.gid)
    const service = await runWritingService(dataDir, { ...nobody, env: { PATH: '' } })
    const pid = serverPid()
    process.kill(service.pid, 'SIGKILL')
    await service.ended
    expect(process.kill(pid, 0)).toBe(true)
    expectNothingLost(await readWritten(), service.committed)
  })
})

it('Ctrl-C in a terminal reaches the service but not its database server', async () => {
  const service = await runWritingService(dataDir, { detached: true })
  process.kill(-service.pid, 'SIGINT')
  expect(await service.ended).toBe(0)
  expect(service.wroteLast()).toBe(true)
  expect((await readWritten()).length).toBe(service.committed.length + 1)
})
