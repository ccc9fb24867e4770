import { chmod, cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { hasSameFacts, readAccountVersion } from '../../db/account/changes/account-version.ts'
import { writeTag } from '../../db/account/notes/address-tags.ts'
import { connectDatabase } from '../../db/connect-database.ts'
import { startEmbeddedPostgres } from '../../db/embedded-postgres/start-embedded-postgres.ts'
import { migrateDatabase } from '../../db/migrate.ts'
import { seedAccount } from '../relayer/account/seed-account.ts'

const ADDRESS = '0x00000000000000000000000000000000000000A1'

test('a database that lost changes gives an account another version after as many new changes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'test-lost-'))
  await chmod(folder, 0o711)
  const dataDir = join(folder, 'data')
  const copy = join(folder, 'copy')
  /** Works with the server until it is stopped. */
  const run = async <Result>(
    work: (pool: Awaited<ReturnType<typeof connectDatabase>>) => Promise<Result>,
  ) => {
    const { url, stop } = await startEmbeddedPostgres({ dataDir, logger: pino({ level: 'silent' }) })
    await migrateDatabase(url)
    const pool = await connectDatabase(url)
    try {
      return await work(pool)
    } finally {
      await pool.end()
      await stop()
    }
  }
  try {
    const { accountId } = await run(seedAccount)
    await cp(dataDir, copy, { recursive: true, preserveTimestamps: true })
    const change = (tag: string) =>
      run(async (pool) => {
        await writeTag(pool, accountId, ADDRESS, tag)
        return readAccountVersion(pool, accountId)
      })
    const lost = await change('one')
    await rm(dataDir, { recursive: true })
    await cp(copy, dataDir, { recursive: true, preserveTimestamps: true })
    const present = await change('another')
    expect(present.changes).toBe(lost.changes)
    expect(hasSameFacts(present, lost)).toBe(false)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
