import { pino } from 'pino'
import { SchemaValidationError } from 'slonik'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { connectDatabase, sql } from '../../db/connect-database.ts'
import { describeServer } from '../../db/database-servers.ts'
import { openTestDatabase, type TestDatabase } from '../harness/open-test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
  await database.pool.query(sql.typeAlias('void')`
    create table sample (id int8, amount numeric(78, 0), at timestamptz, raw bytea, history numeric(78, 0)[])
  `)
})
afterAll(() => database.drop())

const LARGEST_UINT256 = 2n ** 256n - 1n
const sample = z.strictObject({
  id: z.bigint(),
  amount: z.bigint().nullable(),
  at: z.date(),
  raw: z.instanceof(Buffer),
  history: z.array(z.bigint()),
})

describe('a column', () => {
  it('preserves every digit, byte and millisecond when it is written and read', async () => {
    const row = {
      id: 2n ** 53n + 1n,
      amount: LARGEST_UINT256,
      at: new Date('2026-01-02T03:04:05.678Z'),
      raw: Buffer.from([0, 255, 1]),
      history: [0n, -LARGEST_UINT256],
    }
    await database.pool.query(sql.typeAlias('void')`
      insert into sample (id, amount, at, raw, history) values
      (${row.id}, ${row.amount}, ${sql.timestamp(row.at)}, ${sql.binary(row.raw)}, ${sql.array(row.history, 'numeric')})
    `)
    expect(await database.pool.one(sql.type(sample)`select * from sample`)).toEqual(row)
  })

  it('of null, or with a sum or a count, is read as its type', async () => {
    const shape = z.strictObject({ nothing: z.null(), sum: z.bigint(), count: z.bigint() })
    const query = sql.type(shape)`
      select null::numeric as nothing, sum(part) as sum, count(*) as count
      from unnest(array[${LARGEST_UINT256}, 1]::numeric[]) as part
    `
    expect(await database.pool.one(query)).toEqual({ nothing: null, sum: 2n ** 256n, count: 2n })
  })

  it('with a fraction is refused instead of rounded', async () => {
    const query = sql.type(z.object({ half: z.bigint() }))`select 0.5::numeric as half`
    await expect(database.pool.one(query)).rejects.toThrow('numeric 0.5 is not a whole number')
  })
})

describe('a query', () => {
  it.each([
    ['of another type', z.object({ id: z.string() })],
    ['with a column missing', z.object({ id: z.bigint(), owner: z.string() })],
    ['with a column too many', z.strictObject({})],
  ])('refuses rows %s', async (_, shape) => {
    const query = sql.type(shape)`select 1::int8 as id`
    await expect(database.pool.one(query)).rejects.toBeInstanceOf(SchemaValidationError)
  })

  it('returns rows as the schema parses them', async () => {
    const shape = z.object({ id: z.bigint().transform(String) })
    expect(await database.pool.any(sql.type(shape)`select 7::int8 as id`)).toEqual([{ id: '7' }])
  })

  it('rolls back a transaction if its schema rejects a row', async () => {
    const [before] = await database.pool.many(
      sql.type(z.object({ n: z.bigint() }))`select count(*) as n from sample`,
    )
    const work = database.pool.transaction((connection) =>
      connection.one(sql.type(z.object({ id: z.string() }))`insert into sample (id) values (1) returning id`),
    )
    await expect(work).rejects.toBeInstanceOf(SchemaValidationError)
    expect(
      await database.pool.many(sql.type(z.object({ n: z.bigint() }))`select count(*) as n from sample`),
    ).toEqual([before])
  })
})

describe('the pool', () => {
  const backend = sql.type(z.object({ pid: z.int() }))`select pg_backend_pid() as pid`

  it('never opens more than its limit', async () => {
    const pool = await connectDatabase(database.url, { maxPoolSize: 2 })
    const shape = z.object({ pid: z.int() })
    const pids = await Promise.all(
      Array.from({ length: 8 }, () =>
        pool.one(sql.type(shape)`select pg_backend_pid() as pid from pg_sleep(0.02)`),
      ),
    )
    expect(new Set(pids.map(({ pid }) => pid)).size).toBeLessThanOrEqual(2)
    await pool.end()
  })

  it('gives the connection that was given back last, so that statements meet the plans that it has', async () => {
    const pool = await connectDatabase(database.url, { maxPoolSize: 4 })
    const held = Array.from({ length: 4 }, () => {
      const gate = Promise.withResolvers<void>()
      const given = Promise.withResolvers<number>()
      const ended = pool.connect(async (connection) => {
        given.resolve((await connection.one(backend)).pid)
        await gate.promise
      })
      return { pid: given.promise, letGo: () => (gate.resolve(), ended) }
    })
    const pids = await Promise.all(held.map(({ pid }) => pid))
    expect(new Set(pids).size).toBe(4)
    for (const place of [2, 0, 3, 1]) await held[place]?.letGo()
    for (let times = 0; times < 6; times += 1) expect(await pool.one(backend)).toEqual({ pid: pids[1] })
    // While that one is in use, the one before it is next.
    await pool.connect(async (connection) => {
      expect(await connection.one(backend)).toEqual({ pid: pids[1] })
      expect(await pool.one(backend)).toEqual({ pid: pids[3] })
    })
    await pool.end()
  })

  it('opens others in the place of connections that the server ended, whichever query had them last', async () => {
    const pool = await connectDatabase(database.url, { maxPoolSize: 3 })
    const askAll = () =>
      Promise.all(
        Array.from({ length: 3 }, () =>
          pool.one(sql.type(z.object({ pid: z.int() }))`select pg_backend_pid() as pid from pg_sleep(0.05)`),
        ),
      )
    let before: number[] = []
    await expect
      .poll(async () => {
        before = (await askAll()).map(({ pid }) => pid)
        return new Set(before).size
      })
      .toBe(3)
    for (const pid of before.slice(0, 2))
      await database.pool.one(
        sql.type(z.object({ ended: z.boolean() }))`select pg_terminate_backend(${pid}, 5000) as ended`,
      )
    let after: number[] = []
    await expect
      .poll(async () => {
        after = (await askAll().catch(() => [])).map(({ pid }) => pid)
        return new Set(after).size
      })
      .toBe(3)
    expect(before.filter((pid) => after.includes(pid))).toEqual([before[2]])
    await pool.end()
  })

  it('survives the end of an idle connection and opens another', async () => {
    const pool = await connectDatabase(database.url, { maxPoolSize: 1 })
    const { pid } = await pool.one(backend)
    await database.pool.one(
      sql.type(z.object({ ended: z.boolean() }))`select pg_terminate_backend(${pid}, 5000) as ended`,
    )
    await expect.poll(() => pool.one(backend).catch(() => ({ pid }))).not.toEqual({ pid })
    await pool.end()
  })

  it('logs a connection that ended during a statement, and no statement that failed', async () => {
    const lines: string[] = []
    const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
    const pool = await connectDatabase(database.url, { maxPoolSize: 1, logger })
    await expect(pool.query(sql.typeAlias('void')`select 1 / 0`)).rejects.toThrow()
    expect(lines).toEqual([])
    const { pid } = await pool.one(backend)
    const ended = expect(pool.query(sql.typeAlias('void')`select pg_sleep(60)`)).rejects.toThrow()
    const end = sql.type(z.object({ ended: z.boolean() }))`
      select pg_terminate_backend(${pid}) as ended from pg_stat_activity
      where pid = ${pid} and query like '%pg_sleep%'`
    await expect.poll(() => database.pool.maybeOneFirst(end)).toBe(true)
    await ended
    expect(lines.join()).toContain('database connection lost')
    await pool.end()
  })

  it.each(['require', 'verify-full'])('insists on TLS for sslmode=%s', async (mode) => {
    const url = database.url.replace('sslmode=disable', `sslmode=${mode}`)
    await expect(connectDatabase(url)).rejects.toThrow('The server does not support SSL connections')
  })

  it('names the server, but not the password, when it cannot connect', async () => {
    const wrong = new URL(database.url)
    wrong.password = 'hunter2'
    const error: Error = await connectDatabase(wrong.href).then(
      () => new Error('it connected'),
      (reason: Error) => reason,
    )
    expect(error.message).toContain(
      `Cannot connect to PostgreSQL at ${describeServer(database.url)}: password auth`,
    )
    expect(error.message).not.toContain('hunter2')
  })
})
