import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ACCOUNT_TABLES } from '../../db/account-tables.ts'
import { sql } from '../../db/connect-database.ts'
import { SEALED_COLUMNS, SHORT_LIVED_SECRETS } from '../../db/sealed-columns.ts'
import { openTestDatabase, type TestDatabase } from '../harness/open-test-database.ts'

/** Columns whose names show that they hold an account, or an address that may belong to one. */
const TELLING =
  '(^|_)(account_id|account|address|eoa|payer|depositor|owner_address|wallet|recipient|sender|destination)$'

/** Binary columns without secrets: public on the chain, or hashes under a key that is not in the database. */
const NOT_SECRET = ['outbound_tx.data', 'outbound_attempt.raw', 'intent.encoded', 'relay_revert.recipient']

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

const nameRow = z.object({ name: z.string() })
const names = async (statement: ReturnType<ReturnType<typeof sql.type<typeof nameRow>>>) =>
  (await database.pool.any(statement)).map(({ name }) => name)

const listTables = () =>
  names(sql.type(nameRow)`
    select table_name::text as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`)

/** `table.column` of all columns whose name and type match. */
const listColumns = (name: string, type = '.*') =>
  names(sql.type(nameRow)`
    select table_name || '.' || column_name as name
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and column_name ~ ${name} and data_type ~ ${type}
    order by 1`)
const tableOf = (column: string) => column.slice(0, column.indexOf('.'))

describe('the tables that an erasure and an export cover', () => {
  it('are all that have a column for an account or an address, or point at one that has', async () => {
    const telling = (await listColumns(TELLING, 'text|char|uuid')).map(tableOf)
    const pointing = await names(sql.type(nameRow)`
      with recursive pointing as (
        select 'account'::regclass::oid as id
        union select conrelid from pg_constraint join pointing on confrelid = pointing.id where contype = 'f'
      )
      select relname::text as name from pointing join pg_class on pg_class.oid = pointing.id`)
    const declared = new Set(ACCOUNT_TABLES.map(({ table }) => table))
    expect(telling.length).toBeGreaterThan(20)
    const forgotten = [...new Set([...telling, ...pointing])].filter((table) => !declared.has(table))
    expect(forgotten, 'declare these beside their stores, and list them in db/account-tables.ts').toEqual([])
  })

  it('are declared once each, and exist', async () => {
    const declared = ACCOUNT_TABLES.map(({ table }) => table)
    const existing = new Set(await listTables())
    expect(new Set(declared).size).toBe(declared.length)
    expect(declared.filter((table) => !existing.has(table))).toEqual([])
  })

  it('say how rows are exported or why they are not', () => {
    for (const { table, own, kept } of ACCOUNT_TABLES)
      expect([table, own ?? kept]).not.toEqual([table, undefined])
  })

  it('leave out only columns that exist', async () => {
    const existing = new Set(await listColumns('.*'))
    const omitted = ACCOUNT_TABLES.flatMap(({ table, omit = [] }) =>
      omit.map((column) => `${table}.${column}`),
    )
    expect(omitted.filter((column) => !existing.has(column))).toEqual([])
  })

  it('are deleted in an order in which each row is found by rows that still exist', () => {
    const isDeleted = new Set(
      ACCOUNT_TABLES.filter(({ own, kept }) => own && kept === undefined).map(({ table }) => table),
    )
    const place = (table: string) => ACCOUNT_TABLES.findIndex((declared) => declared.table === table)
    for (const { table, own } of ACCOUNT_TABLES) {
      if (!own || !isDeleted.has(table)) continue
      const [, ...found] = own('00000000-0000-4000-8000-000000000000').sql.split(/\bfrom\s+/)
      for (const source of found.map((rest) => /^\w+/.exec(rest)?.[0] ?? ''))
        if (source !== table && isDeleted.has(source))
          expect([table, source, place(table) < place(source)]).toEqual([table, source, true])
    }
  })
})

describe('the columns of sealed bytes', () => {
  const rewrapped = Object.values(SEALED_COLUMNS).map(({ table, bytes }) => `${table}.${bytes}`)
  const shortLived = SHORT_LIVED_SECRETS.flatMap(({ table, columns }) =>
    columns.map((column) => `${table}.${column}`),
  )

  it('are all that are binary and neither hashes nor public', async () => {
    const binary = await listColumns('.*', 'bytea')
    const sealed = binary.filter((column) => !column.endsWith('_hash') && !NOT_SECRET.includes(column))
    expect(sealed, 'declare these beside their stores, and list them in db/sealed-columns.ts').toEqual(
      [...rewrapped, ...shortLived].toSorted(),
    )
    expect(NOT_SECRET.filter((column) => !binary.includes(column))).toEqual([])
  })

  it('are re-wrapped in every table that names a master key, unless they end by themselves', async () => {
    const wrapped = (await listColumns('^master_key_id$')).map(tableOf)
    const declared = new Set(
      [...Object.values(SEALED_COLUMNS), ...SHORT_LIVED_SECRETS].map(({ table }) => table),
    )
    expect(wrapped.filter((table) => !declared.has(table))).toEqual([])
    expect(Object.values(SEALED_COLUMNS).filter(({ table }) => !wrapped.includes(table))).toEqual([])
  })
})
