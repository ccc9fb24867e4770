import pg from 'pg'
import { expect, test } from 'vitest'
import { findLargeReads } from '../deep/years/judge-statements.ts'
import { SEEDED_TABLES, SMALL_TABLES } from '../deep/years/seed-years.ts'
import { yearsStory } from '../deep/years/years-story.ts'
import { openTestDatabase } from '../harness/open-test-database.ts'

test('every table is filled by the story of years, or said to stay small', async () => {
  const { url, drop } = await openTestDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  )
  await client.end()
  await drop()
  const known = [...SMALL_TABLES, ...SEEDED_TABLES.map(({ table }) => table)]
  expect(known.toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
})

test(
  'with years behind it, no statement that a used service runs reads a large table from end to end',
  { timeout: 900_000 },
  async () => {
    const statements = await yearsStory(4_000, 2)
    expect(statements.length).toBeGreaterThan(150)
    expect(findLargeReads(statements)).toEqual([])
  },
)
