import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../db/connect-database.ts'
import { analyzeGrown } from '../../db/upkeep-tasks.ts'
import { openTestDatabase, type TestDatabase } from '../harness/open-test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
  await database.pool.query(sql.typeAlias('void')`
    create table grows (id int8) with (autovacuum_enabled = false)`)
})
afterAll(() => database?.drop())

const add = (rows: number) =>
  database.pool.connect(async (connection) => {
    await connection.query(sql.typeAlias('void')`
      insert into grows select value from generate_series(1, ${rows}) as value`)
    await connection.query(sql.typeAlias('void')`select from pg_stat_force_next_flush()`)
  })

/** Analyses every grown table, and says whether the table was among them. */
async function isAnalyzed(): Promise<boolean> {
  const names = new Set<string>()
  for (;;) {
    const name = await analyzeGrown(database.pool)
    if (name === null) return names.has('grows')
    expect(names).not.toContain(name)
    names.add(name)
  }
}

const knownRows = () =>
  database.pool.oneFirst(
    sql.type(
      z.object({ reltuples: z.number() }),
    )`select reltuples::float8 as reltuples from pg_class where relname = 'grows'`,
  )

test('a table is analysed when it has doubled, and not before', async () => {
  await add(100)
  expect(await isAnalyzed()).toBe(false)
  await add(900)
  expect(await isAnalyzed()).toBe(true)
  expect(await knownRows()).toBe(1_000)
  await add(900)
  expect(await isAnalyzed()).toBe(false)
  expect(await knownRows()).toBe(1_000)
  await add(200)
  expect(await isAnalyzed()).toBe(true)
  expect(await knownRows()).toBe(2_100)
})
