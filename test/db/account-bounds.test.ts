import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../db/connect-database.ts'
import { openTestDatabase, type TestDatabase } from '../harness/open-test-database.ts'

const ROOT = new URL('../../', import.meta.url)

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

/** The rows of db/BOUNDS.md. */
async function readBounds() {
  const text = await readFile(new URL('db/BOUNDS.md', ROOT), 'utf8')
  return [...text.matchAll(/^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|$/gm)].map(
    ([, table = '', bound = '', holder = '']) => ({ table, bound, holder }),
  )
}

it('every table that an account can grow has a declared bound', async () => {
  const growing = await database.pool.anyFirst(sql.type(z.object({ name: z.string() }))`
    select table_name::text as name
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and column_name ~ '(^|_)account_id$'
    union select relname::text from pg_constraint join pg_class on pg_class.oid = conrelid
    where contype = 'f' and confrelid in ('account'::regclass, 'referral_attribution'::regclass)
    union select 'account'`)
  expect((await readBounds()).map(({ table }) => table).toSorted()).toEqual([...growing].toSorted())
})

it('the named holder of each bound exists, and names its number', async () => {
  for (const { table, bound, holder } of await readBounds()) {
    const file = /^`([^`]+)`$/.exec(holder)?.[1]
    if (file === undefined) {
      expect([table, holder]).toEqual([table, expect.stringMatching(/^its |is unique$/)])
      continue
    }
    expect([file, existsSync(new URL(file, ROOT))]).toEqual([file, true])
    const number = /^[\d,]*\d{3}/.exec(bound)?.[0].replaceAll(',', '_')
    if (number !== undefined && file.endsWith('.ts'))
      expect([table, await readFile(new URL(file, ROOT), 'utf8')]).toEqual([
        table,
        expect.stringMatching(new RegExp(`\\b${number}\\b|\\b${number.replaceAll('_', '')}\\b`)),
      ])
  }
})
