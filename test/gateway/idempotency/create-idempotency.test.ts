import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../db/connect-database.ts'
import { purgeExpiredKeys } from '../../../db/idempotency/idempotency-keys.ts'
import {
  createIdempotency,
  type IdempotencyOptions,
} from '../../../gateway/idempotency/create-idempotency.ts'
import { hashInput } from '../../../gateway/idempotency/create-idempotency.ts'
import { createLogger } from '../../../gateway/logging.ts'
import type { KeepAnswer } from '../../../relayer/keep-answer.ts'
import { createTransientSecrets } from '../../../relayer/identity/transient-secrets.ts'
import { openTestDatabase, type TestDatabase } from '../../harness/open-test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

type Settings = Omit<IdempotencyOptions, 'database' | 'secrets' | 'logger'>

function open(settings: Settings = {}) {
  const logger = createLogger({ level: 'silent' })
  const idempotency = createIdempotency({ database: database.pool, secrets, logger, ...settings })
  onTestFinished(() => idempotency.stop())
  return idempotency
}

// The same secret as in hanging-run.ts.
const secrets = createTransientSecrets(Buffer.alloc(32))

const newRequest = () => ({
  accountId: randomUUID(),
  operation: 'quote',
  key: 'key-1',
  input: { body: { amount: 10n, to: '0xAb', at: new Date(0), left: undefined } },
})

/** Work that counts its runs and ends on command. */
function createWork() {
  let ran = 0
  const { promise, resolve: finish, reject: fail } = Promise.withResolvers<unknown>()
  return { run: () => ((ran += 1), promise), ran: () => ran, finish, fail }
}

it('a repeated request gets the first answer, byte for byte', async () => {
  const request = newRequest()
  const answer = { quoteId: 'q', amount: '1', none: null, list: [{ b: 1, a: 'é\u0000' }] }
  expect(await open().once(request, async () => answer)).toEqual(answer)
  const again = await open().once(request, () => Promise.reject(new Error('must not run')))
  expect(JSON.stringify(again)).toBe(JSON.stringify(answer))
})

it('the same input written differently counts as the same', async () => {
  const request = newRequest()
  const idempotency = open()
  await idempotency.once(request, async () => 1)
  const input = { body: { at: new Date(0), to: '0xAb', amount: 10n } }
  expect(await idempotency.once({ ...request, input }, async () => 2)).toBe(1)
})

it.each([
  ['another amount', { body: { amount: 11n, to: '0xAb', at: new Date(0) } }],
  ['text for a number', { body: { amount: '10', to: '0xAb', at: new Date(0) } }],
  ['more', { body: { amount: 10n, to: '0xAb', at: new Date(0), more: null } }],
  ['nothing', {}],
])('a key is refused with %s', async (_, input) => {
  const request = newRequest()
  const idempotency = open()
  await idempotency.once(request, async () => 1)
  await expect(idempotency.once({ ...request, input }, async () => 2)).rejects.toMatchObject({
    kind: 'bad-request',
    code: 'IDEMPOTENCY_KEY_REUSED',
  })
})

it('an input may be nested, but not without limit', async () => {
  const nest = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown
  const use = (depth: number) => open().once({ ...newRequest(), input: { body: nest(depth) } }, async () => 1)
  await expect(use(100_000)).rejects.toMatchObject({ kind: 'bad-request', code: 'BAD_REQUEST' })
  expect(await use(50)).toBe(1)
})

it('keys of different accounts and operations are independent', async () => {
  const request = newRequest()
  const idempotency = open()
  const others = [
    request,
    { ...request, accountId: randomUUID() },
    { ...request, operation: 'refresh' },
    { ...request, key: 'KEY-1' },
    { ...request, key: 'key-1 \u0000 and what else GraphQL lets through' },
  ]
  for (const [at, other] of others.entries()) expect(await idempotency.once(other, async () => at)).toBe(at)
})

it('simultaneous requests run once, in one process or several', async () => {
  const request = newRequest()
  const work = createWork()
  const instances = [open(), open(), open()]
  const asked = Array.from({ length: 30 }, (_, at) => instances[at % 3]!.once(request, work.run))
  await expect.poll(work.ran).toBe(1)
  const reused = instances[1]!.once({ ...request, input: {} }, work.run)
  await expect(reused).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
  work.finish({ done: true })
  expect(new Set((await Promise.all(asked)).map((answer) => JSON.stringify(answer)))).toEqual(
    new Set(['{"done":true}']),
  )
  expect(work.ran()).toBe(1)
})

it('after a failure the next request runs, with another input too', async () => {
  const request = newRequest()
  const [here, there] = [open(), open()]
  const work = createWork()
  const first = here.once(request, work.run)
  await expect.poll(work.ran).toBe(1)
  const second = there.once(request, async () => 'second')
  work.fail(new Error('no venue'))
  await expect(first).rejects.toThrow('no venue')
  expect(await second).toBe('second')
  const failed = newRequest()
  await expect(here.once(failed, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await here.once({ ...failed, input: {} }, async () => 'mended')).toBe('mended')
})

/** A claim left by a process that died during the run. */
async function leaveClaim(accountId: string): Promise<void> {
  await database.pool.query(sql.typeAlias('void')`
    update idempotency_key set sealed_answer = null, claimed_until = now() where account_id = ${accountId}`)
}

it('a process that died does not block a key', async () => {
  const request = newRequest()
  await open().once(request, async () => 'lost')
  await leaveClaim(request.accountId)
  expect(await open().once(request, async () => 'run again')).toBe('run again')
})

it('a request waits for a running process and takes over when that is killed', async () => {
  const request = { ...newRequest(), input: {} }
  const script = fileURLToPath(new URL('hanging-run.ts', import.meta.url))
  const child = spawn(process.execPath, [script, database.url, JSON.stringify(request)])
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  const impatient = open({ leaseMs: 3_000, patienceMs: 5_000 }).once(request, async () => 'twice')
  await expect(impatient).rejects.toMatchObject({ code: 'SERVER_BUSY' })
  const waiting = open({ leaseMs: 3_000 }).once(request, async () => 'taken over')
  child.kill('SIGKILL')
  expect(await waiting).toBe('taken over')
})

it('a long run renews its claim, and others wait for a limited time', async () => {
  const request = newRequest()
  const work = createWork()
  const first = open({ leaseMs: 3_000 }).once(request, work.run)
  await expect.poll(work.ran).toBe(1)
  const waiting = open({ leaseMs: 3_000, patienceMs: 5_000 }).once(request, work.run)
  await expect(waiting).rejects.toMatchObject({ kind: 'unavailable', code: 'SERVER_BUSY' })
  work.finish('at last')
  expect(await first).toBe('at last')
  expect(work.ran()).toBe(1)
})

it('the answer of the process that took over is stored', async () => {
  const request = newRequest()
  const work = createWork()
  const first = open().once(request, work.run)
  await expect.poll(work.ran).toBe(1)
  await leaveClaim(request.accountId)
  expect(await open().once(request, async () => 'second')).toBe('second')
  work.finish('first')
  expect(await first).toBe('first')
  expect(await open().once(request, async () => 'third')).toBe('second')
})

describe('an answer that the operation stores in its transaction', () => {
  it('is repeated although the run ended before it answered', async () => {
    const request = newRequest()
    const idempotency = open()
    const dies = idempotency.once(request, async (keep) => {
      await database.pool.transaction((transaction) => keep(transaction, { made: 1 }))
      throw new Error('dies')
    })
    await expect(dies).rejects.toThrow('dies')
    const run = () => Promise.reject(new Error('ran again'))
    expect(await idempotency.once(request, run)).toEqual({ made: 1 })
  })

  it('is gone with a transaction that is undone', async () => {
    const request = newRequest()
    const idempotency = open()
    const dies = idempotency.once(request, (keep) =>
      database.pool.transaction(async (transaction) => {
        await keep(transaction, 'never made')
        throw new Error('dies')
      }),
    )
    await expect(dies).rejects.toThrow('dies')
    expect(await idempotency.once(request, async () => 'made')).toBe('made')
  })

  it("undoes its work if another run holds the key by now, and both get that run's answer", async () => {
    await database.pool.query(sql.typeAlias('void')`create table made (by text not null)`)
    const request = newRequest()
    const work = createWork()
    const make = (by: string) => (keep: KeepAnswer<unknown>) =>
      database.pool.transaction(async (transaction) => {
        await transaction.query(sql.typeAlias('void')`insert into made (by) values (${by})`)
        if (by === 'slow') await work.run()
        await keep(transaction, by)
        return by
      })
    const slow = open().once(request, make('slow'))
    await expect.poll(work.ran).toBe(1)
    await leaveClaim(request.accountId)
    expect(await open().once(request, make('fast'))).toBe('fast')
    work.finish(null)
    expect(await slow).toBe('fast')
    expect(await database.pool.any(sql.type(z.object({ by: z.string() }))`select by from made`)).toEqual([
      { by: 'fast' },
    ])
  })
})

describe('a stored answer', () => {
  const rowText = (accountId: string) =>
    database.pool.oneFirst(sql.type(z.object({ row: z.string() }))`
      select to_jsonb(idempotency_key)::text as row from idempotency_key where account_id = ${accountId}`)

  it('is encrypted, and its input cannot be guessed', async () => {
    const request = newRequest()
    const answer = { address: '0x00000000000000000000000000000000000000AA', at: '2030-01-01T00:00:00.001Z' }
    await open().once(request, async () => answer)
    const row = await rowText(request.accountId)
    const hex = (text: string) => Buffer.from(text).toString('hex')
    for (const secret of [answer.address, answer.at])
      for (const form of [secret, hex(secret)]) expect(row).not.toContain(form)
    // A reader of the database cannot guess inputs.
    expect(row).not.toContain(hashInput(request.input).toString('hex'))
  })

  it('reveals the time of the request to the hour only', async () => {
    const request = newRequest()
    await open().once(request, async () => 1)
    const { times } = await database.pool.one(sql.type(z.object({ times: z.array(z.string()) }))`
      select array[to_char(expires_at, 'MI:SS.US'), to_char(claimed_until, 'MI:SS.US')] as times
      from idempotency_key where account_id = ${request.accountId}`)
    expect(times).toEqual(['00:00.000000', '00:00.000000'])
  })

  it('can be decrypted for its own account, operation and key only', async () => {
    const [one, other] = [newRequest(), newRequest()]
    await open().once(one, async () => 'of one')
    await open().once(other, async () => 'of the other')
    await database.pool.query(sql.typeAlias('void')`
      update idempotency_key set sealed_answer = (
        select sealed_answer from idempotency_key where account_id = ${one.accountId})
      where account_id = ${other.accountId}`)
    const run = () => Promise.reject(new Error('ran again'))
    await expect(open().once(other, run)).rejects.toThrow('does not open')
  })

  it('of an earlier version is honoured although it is not encrypted', async () => {
    const request = newRequest()
    await open().once(request, async () => 'sealed')
    await database.pool.query(sql.typeAlias('void')`
      update idempotency_key set sealed_answer = null, answer = '"in clear"',
        input_hash = ${sql.binary(hashInput(request.input))}
      where account_id = ${request.accountId}`)
    expect(await open().once(request, async () => 'ran again')).toBe('in clear')
    const reused = open().once({ ...request, input: {} }, async () => 'ran again')
    await expect(reused).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
  })
})

it('keys are forgotten after a day', async () => {
  const [old, fresh] = [newRequest(), newRequest()]
  const idempotency = open()
  await idempotency.once(old, async () => 'old')
  await idempotency.once(fresh, async () => 'fresh')
  const { lasts } = await database.pool.one(sql.type(z.object({ lasts: z.boolean() }))`
    select extract(epoch from expires_at - now()) / 3600 > 23.9 as lasts from idempotency_key
    where account_id = ${old.accountId}`)
  expect(lasts).toBe(true)
  const expire = () =>
    database.pool.query(sql.typeAlias('void')`
      update idempotency_key set expires_at = now() where account_id = ${old.accountId}`)
  await expire()
  expect(await idempotency.once({ ...old, input: {} }, async () => 'new')).toBe('new')
  await expire()
  expect(await purgeExpiredKeys(database.pool)).toBe(1)
  expect(await idempotency.once(fresh, async () => 'again')).toBe('fresh')
})

it('the number of keys of an account is limited over all operations', async () => {
  const request = newRequest()
  const idempotency = open({ mostKeys: 3 })
  const use = (key: string, run = async () => key) =>
    idempotency.once({ ...request, operation: `operation of ${key}`, key }, run)
  for (const key of ['a', 'b', 'c']) expect(await use(key)).toBe(key)
  let ran = false
  const full = { kind: 'too-many-requests', code: 'IDEMPOTENCY_KEYS_EXHAUSTED', retryAfterSeconds: 600 }
  const run = async () => ((ran = true), 'd')
  await expect(use('d', run)).rejects.toMatchObject(full)
  expect(ran).toBe(false)
  // The stored answer stays, and other clients are not affected.
  expect(await use('a', async () => 'again')).toBe('a')
  expect(await idempotency.once(newRequest(), async () => 'other account')).toBe('other account')
  await database.pool.query(sql.typeAlias('void')`
    update idempotency_key set expires_at = now() where account_id = ${request.accountId}
      and operation = 'operation of b'`)
  expect(await use('b', async () => 'b anew')).toBe('b anew')
  await database.pool.query(sql.typeAlias('void')`
    update idempotency_key set expires_at = now() where account_id = ${request.accountId}
      and operation = 'operation of c'`)
  await purgeExpiredKeys(database.pool)
  await expect(use('e', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await use('f')).toBe('f')
  await expect(use('g')).rejects.toMatchObject(full)
})

it('the bytes of the answers of an account are limited, however few its keys are', async () => {
  const request = newRequest()
  const idempotency = open({ mostBytes: 1_000 })
  const use = (key: string) =>
    idempotency.once({ ...request, key, operation: `operation of ${key}` }, async () => key.repeat(400))
  const full = { kind: 'too-many-requests', code: 'IDEMPOTENCY_KEYS_EXHAUSTED', retryAfterSeconds: 600 }
  for (const key of ['a', 'b', 'c']) expect(await use(key)).toBe(key.repeat(400))
  await expect(use('d')).rejects.toMatchObject(full)
  expect(await use('a')).toBe('a'.repeat(400))
  expect(await idempotency.once(newRequest(), async () => 'other account')).toBe('other account')
})

it('once the answers of all have too many bytes, only accounts with few are served', async () => {
  const idempotency = open({ mostOfAll: 1 })
  const large = newRequest()
  await idempotency.once(large, async () => 'a'.repeat(600_000))
  await expect(idempotency.once({ ...large, key: 'b' }, async () => 'b')).rejects.toMatchObject({
    code: 'IDEMPOTENCY_KEYS_EXHAUSTED',
  })
  const small = newRequest()
  for (const key of ['a', 'b', 'c'])
    expect(await idempotency.once({ ...small, key }, async () => key)).toBe(key)
})

it('a request whose answer cannot be stored is still answered', async () => {
  const broken = await openTestDatabase()
  const idempotency = createIdempotency({
    database: broken.pool,
    secrets,
    logger: createLogger({ level: 'silent' }),
  })
  onTestFinished(async () => {
    await idempotency.stop()
    await broken.drop()
  })
  const answer = await idempotency.once(newRequest(), async () => {
    await broken.pool.query(sql.typeAlias('void')`drop table idempotency_key`)
    return 'paid'
  })
  expect(answer).toBe('paid')
})
