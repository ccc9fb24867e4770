import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listPendingMigrations, migrateDatabase } from '../../db/migrate.ts'
import { findFreePort } from '../harness/find-free-port.ts'
import { openEmptyDatabase } from '../harness/open-test-database.ts'

let database: Awaited<ReturnType<typeof openEmptyDatabase>>
let directory: string
beforeEach(async () => {
  database = await openEmptyDatabase()
  directory = await mkdtemp(join(tmpdir(), 'test-migrations-'))
  await write('schema/account.sql', 'create table step (n int); insert into step values (1);')
  await write('migrations/0001_expand_second.sql', 'insert into step select max(n) + 1 from step;')
  await write('functions/account/newest_step.sql', newestStep('max(n)'))
})
afterEach(async () => {
  await database.drop()
  await rm(directory, { recursive: true })
})

const newestStep = (what: string) =>
  `create or replace function newest_step() returns int language sql as $$ select ${what} from step $$;`

async function write(name: string, statements: string): Promise<void> {
  await mkdir(dirname(join(directory, name)), { recursive: true })
  await writeFile(join(directory, name), statements)
}

const migrate = () => migrateDatabase(database.url, directory)

async function ask<Row>(statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    return (await client.query(statement)).rows as Row[]
  } finally {
    await client.end()
  }
}

const readSteps = async () => (await ask<{ n: number }>('select n from step order by n')).map(({ n }) => n)
const readNewest = async () => (await ask<{ newest_step: number }>('select newest_step()'))[0]?.newest_step

const ALL = ['schema/account.sql', 'migrations/0001_expand_second.sql', 'functions/account/newest_step.sql']

describe('migrateDatabase', () => {
  it('runs baseline, migrations and functions once, and later only new ones', async () => {
    expect(await migrate()).toEqual(ALL)
    await write('migrations/0002_expand_third.sql', 'insert into step values (30)')
    expect(await migrate()).toEqual(['migrations/0002_expand_third.sql'])
    expect(await migrate()).toEqual([])
    expect(await readSteps()).toEqual([1, 2, 30])
  })

  it('says before it runs which tables of before it locks, and a list of that changes nothing', async () => {
    const reported: unknown[] = []
    const run = () => migrateDatabase(database.url, directory, (pending) => reported.push(pending))
    expect(await listPendingMigrations(database.url, directory)).toMatchObject({ locks: [] })
    await run()
    await write('migrations/0002_expand_index.sql', 'create table other (n int); create index on step (n);')
    const pending = {
      files: ['migrations/0002_expand_index.sql'],
      locks: [
        expect.objectContaining({
          file: 'migrations/0002_expand_index.sql',
          table: 'step',
          blocks: 'writes',
          isLong: true,
        }),
      ],
    }
    expect(await listPendingMigrations(database.url, directory)).toEqual(pending)
    await run()
    await run()
    expect(reported).toEqual([expect.objectContaining({ files: ALL, locks: [] }), pending])
  })

  it('runs a function again when its file has changed, after the migrations', async () => {
    await migrate()
    expect(await readNewest()).toBe(2)
    await write('migrations/0002_expand_weight.sql', 'alter table step add column weight int default 7')
    await write('functions/account/newest_step.sql', newestStep('max(weight)'))
    expect(await migrate()).toEqual([
      'migrations/0002_expand_weight.sql',
      'functions/account/newest_step.sql',
    ])
    expect(await readNewest()).toBe(7)
  })

  it('migrates once when six services start at the same time', async () => {
    const ran = await Promise.all(Array.from({ length: 6 }, migrate))
    expect(ran.filter((names) => names.length > 0)).toEqual([ALL])
    expect(await readSteps()).toEqual([1, 2])
  })

  it.each(['schema/account.sql', 'migrations/0001_expand_second.sql'])(
    'refuses %s when it was edited after it ran, and runs nothing',
    async (name) => {
      await migrate()
      await write(name, 'insert into step values (2);')
      await write('migrations/0002_expand_third.sql', 'insert into step values (30)')
      await expect(migrate()).rejects.toThrow(`${name} was edited after database`)
      expect(await readSteps()).toEqual([1, 2])
    },
  )

  it('refuses a database that a newer version has migrated', async () => {
    await migrate()
    await rm(join(directory, 'migrations/0001_expand_second.sql'))
    await expect(migrate()).rejects.toThrow('has migrations/0001_expand_second.sql, which this version lacks')
  })

  it('changes nothing when a file fails, and continues once it is corrected', async () => {
    await migrate()
    await write('migrations/0002_expand_third.sql', 'insert into step values (30)')
    await write('migrations/0003_expand_fourth.sql', 'insert into nowhere values (1);')
    await expect(migrate()).rejects.toThrow(
      'migrations/0003_expand_fourth.sql failed: relation "nowhere" does not exist',
    )
    expect(await readSteps()).toEqual([1, 2])
    await write('migrations/0003_expand_fourth.sql', 'insert into step values (31);')
    expect(await migrate()).toEqual(['migrations/0002_expand_third.sql', 'migrations/0003_expand_fourth.sql'])
    expect(await readSteps()).toEqual([1, 2, 30, 31])
  })

  it('names the server that it cannot connect to', async () => {
    const url = `postgres://user:hunter2@127.0.0.1:${await findFreePort()}/relay`
    await expect(migrateDatabase(url)).rejects.toThrow(
      /^Cannot connect to PostgreSQL at 127[^@]*ECONNREFUSED/,
    )
  })

  it.each([
    ['migrations/0001_contract_twice.sql', 'Two migrations are numbered 0001'],
    ['migrations/0003_neither.sql', 'must be named like'],
    ['schema/elsewhere.sql', 'has no place in the order of the baseline'],
  ])('refuses the file name %s', async (name, complaint) => {
    await write(name, 'select 1')
    await expect(migrate()).rejects.toThrow(complaint)
  })
})

describe('a database from before the baseline', () => {
  const describeAs = (names: readonly string[]) =>
    ask(`delete from schema_migration; delete from schema_function;
      insert into schema_migration (name, sha256) values ${names.map((name) => `('${name}', 'x')`).join()}`)

  it('is brought up to date when it has all old migrations, and keeps its rows', async () => {
    await write('migrations/0001_expand_second.sql', 'select 1')
    await migrate()
    await ask('insert into step values (9)')
    await describeAs(['0002_broadcast.sql', '0540_earlier_lives.sql'])
    expect(await migrate()).toEqual(ALL.slice(1))
    expect(await migrate()).toEqual([])
    expect(await readSteps()).toEqual([1, 9])
  })

  it('is refused with instructions when it lacks some of them, and stays as it is', async () => {
    await migrate()
    await describeAs(['0002_broadcast.sql'])
    await expect(migrate()).rejects.toThrow(
      /older than the baseline.*start the version of commit \w+ on it once/,
    )
    expect(await ask('select name from schema_migration')).toEqual([{ name: '0002_broadcast.sql' }])
  })
})
