import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrateDatabase } from '../../db/migrate.ts'
import { findFreePort } from '../harness/find-free-port.ts'
import { openEmptyDatabase } from '../harness/open-test-database.ts'

let database: Awaited<ReturnType<typeof openEmptyDatabase>>
let directory: string
beforeEach(async () => {
  database = await openEmptyDatabase()
  directory = await mkdtemp(join(tmpdir(), 'test-migrations-'))
  await write('0001_first.sql', 'create table step (n int); insert into step values (1);')
  await write('0002_second.sql', 'insert into step select max(n) + 1 from step;')
})
afterEach(async () => {
  await database.drop()
  await rm(directory, { recursive: true })
})

const write = (name: string, statements: string) => writeFile(join(directory, name), statements)
const migrate = () => migrateDatabase(database.url, directory)

async function readSteps(): Promise<number[]> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query<{ n: number }>('select n from step order by n')
  await client.end()
  return rows.map(({ n }) => n)
}

describe('migrateDatabase', () => {
  it('runs each file once, in order, and later only the new ones', async () => {
    expect(await migrate()).toEqual(['0001_first.sql', '0002_second.sql'])
    await write('0003_third.sql', 'insert into step values (30)')
    expect(await migrate()).toEqual(['0003_third.sql'])
    expect(await migrate()).toEqual([])
    expect(await readSteps()).toEqual([1, 2, 30])
  })

  it('migrates once when six services start at the same time', async () => {
    const ran = await Promise.all(Array.from({ length: 6 }, migrate))
    expect(ran.filter((names) => names.length > 0)).toEqual([['0001_first.sql', '0002_second.sql']])
    expect(await readSteps()).toEqual([1, 2])
  })

  it('refuses a file that was edited after it ran, and runs nothing', async () => {
    await migrate()
    await write('0002_second.sql', 'insert into step values (2);')
    await write('0003_third.sql', 'insert into step values (30)')
    await expect(migrate()).rejects.toThrow('Migration 0002_second.sql was edited after database')
    expect(await readSteps()).toEqual([1, 2])
  })

  it('refuses a database that a newer version has migrated', async () => {
    await migrate()
    await rm(join(directory, '0002_second.sql'))
    await expect(migrate()).rejects.toThrow('has migration 0002_second.sql, which this version lacks')
  })

  it('rolls back a file that fails, keeps the files before it, and continues once it is corrected', async () => {
    await write('0003_third.sql', 'insert into step values (30); insert into nowhere values (1);')
    await expect(migrate()).rejects.toThrow(
      'Migration 0003_third.sql failed: relation "nowhere" does not exist',
    )
    expect(await readSteps()).toEqual([1, 2])
    await write('0003_third.sql', 'insert into step values (31);')
    expect(await migrate()).toEqual(['0003_third.sql'])
    expect(await readSteps()).toEqual([1, 2, 31])
  })

  it('names the server that it cannot connect to', async () => {
    const url = `postgres://user:hunter2@127.0.0.1:${await findFreePort()}/relay`
    await expect(migrateDatabase(url)).rejects.toThrow(
      /^Cannot connect to PostgreSQL at 127[^@]*ECONNREFUSED/,
    )
  })

  it.each([
    ['0002_twice.sql', 'Two migrations are numbered 0002'],
    ['3_short.sql', 'must be named like'],
  ])('refuses the file name %s', async (name, complaint) => {
    await write(name, 'select 1')
    await expect(migrate()).rejects.toThrow(complaint)
  })
})
