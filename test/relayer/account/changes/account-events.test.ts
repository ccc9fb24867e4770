import { randomInt, randomUUID } from 'node:crypto'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { popBlocks } from '../../../../db/chain/indexer/pop-blocks.ts'
import { sql } from '../../../../db/connect-database.ts'
import { insertQuote } from '../../../../db/transact/quotes.ts'
import type { IndexChange } from '../../../../relayer/chain/indexer/indexer.ts'
import { createAccountEvents, type AccountEvent } from '../../../../relayer/account/changes/account-events.ts'
import { readCursor, writeCursor } from '../../../../relayer/account/changes/event-cursor.ts'
import { createTransientSecrets } from '../../../../relayer/identity/transient-secrets.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import {
  fundOwner,
  openOwner,
  seedTokens,
  writeHistory,
  type Owner,
  type Step,
} from '../provenance/seed-history.ts'
import { newQuote } from '../seed-quote.ts'

const run = sql.typeAlias('void')
const secrets = createTransientSecrets(new Uint8Array(32))
const pay: Step = {
  chainId: 1,
  movements: [{ from: 'x', to: 'A', amount: 1, token: 'T' }],
  relays: null,
  delivers: null,
}

let database: TestDatabase
let tokens: Awaited<ReturnType<typeof seedTokens>>
beforeAll(async () => {
  database = await openTestDatabase()
  tokens = await seedTokens(database.pool)
})
afterAll(() => database?.drop())

const openAccount = () => openOwner(database.pool, tokens)
let nextBlock = 10

/** Pays to an address, in a block of its own. @returns The event's subject. */
async function payTo(owner: Owner): Promise<string> {
  const [written] = await writeHistory(database.pool, owner, [pay], (nextBlock += 10))
  await database.pool.query(run`
    insert into address_tx (address, chain_id, tx_hash, block_number, block_time, tx_index)
    values (${owner.parties.A}, 1, ${written?.txHash ?? ''}, ${nextBlock}, now(), 0)`)
  return `1 ${written?.txHash}`
}

/** A service of its own, as after a restart. */
function openEvents() {
  const listeners = new Set<(change: IndexChange) => void>()
  const events = createAccountEvents({
    database: database.pool,
    secrets,
    logger: pino({ level: 'silent' }),
    indexer: {
      onChanged(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
  })
  onTestFinished(() => events.stop())
  return events
}

/** Follows an account until `most` events came, by default one. */
async function read({ accountId }: Pick<Owner, 'accountId'>, after: string | null, most = 1) {
  const found: AccountEvent[] = []
  const leave = new AbortController()
  for await (const event of openEvents().follow(accountId, after, leave.signal)) {
    found.push(event)
    if (found.length >= most) break
  }
  leave.abort()
  return found
}

/** The cursor of a new follower. */
async function begin(owner: Pick<Owner, 'accountId'>): Promise<string> {
  const [event] = await read(owner, null)
  expect(event).toMatchObject({ kind: 'resync', reason: 'start' })
  return event?.cursor ?? ''
}

const nameOf = (event: AccountEvent) => ('subject' in event ? `${event.kind} ${event.subject}` : event.reason)
const subjects = (found: readonly AccountEvent[], kind: AccountEvent['kind']) =>
  found.flatMap((event) => (event.kind === kind && 'subject' in event ? [event.subject] : []))

/** Writes a last change, and reads up to it. */
async function readUpTo(owner: Owner, after: string): Promise<AccountEvent[]> {
  const mark = `mark ${randomUUID()}`
  await writeEvents(owner.accountId, [mark])
  const found: AccountEvent[] = []
  const leave = new AbortController()
  for await (const event of openEvents().follow(owner.accountId, after, leave.signal)) {
    if (nameOf(event) === `quote ${mark}`) break
    if (!nameOf(event).startsWith('quote mark')) found.push(event)
  }
  leave.abort()
  return found
}

const writeEvents = (accountId: string, names: readonly string[], connection = database.pool) =>
  connection.query(run`
    insert into account_event (account_id, kind, subject)
    select ${accountId}::uuid, 'quote', name from unnest(${sql.array([...names], 'text')}) as told (name)`)

it('a payment during a disconnect and a restart is an event exactly once', async () => {
  const owner = await openAccount()
  const stranger = await openAccount()
  const cursor = await begin(owner)
  const paid = [await payTo(owner), await payTo(owner)]
  await payTo(stranger)
  await fundOwner(database.pool, owner, 5n)
  const all = await readUpTo(owner, cursor)
  expect(subjects(all, 'activity').toSorted()).toEqual(paid.toSorted())
  expect(subjects(all, 'balance')).toContain(`1 ${tokens.T}`)
  // Each event's cursor leads to those after it, and to no other.
  for (const [index, event] of all.entries()) {
    const rest = await readUpTo(owner, event.cursor)
    expect(rest.map(nameOf)).toEqual(all.slice(index + 1).map(nameOf))
  }
})

it('a follower hears of what is written while it follows', async () => {
  const owner = await openAccount()
  const leave = new AbortController()
  const events = openEvents().follow(owner.accountId, null, leave.signal)
  expect((await events.next()).value).toMatchObject({ reason: 'start' })
  const next = events.next()
  const paid = await payTo(owner)
  expect((await next).value).toMatchObject({ kind: 'activity', subject: paid })
  leave.abort()
  await events.return(undefined)
})

it('no event is lost or repeated when transactions commit out of order and followers reconnect at will', async () => {
  const { accountId } = await openAccount()
  const writers = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      onTestFinished(() => client.end())
      return client
    }),
  )
  const written: string[] = []
  let isWriting = true
  const writing = Promise.all(
    writers.map(async (client) => {
      for (let round = 0; round < 25; round += 1) {
        await client.query('begin')
        for (let rows = randomInt(1, 4); rows > 0; rows -= 1) {
          const name = randomUUID()
          written.push(name)
          await client.query(
            `insert into account_event (account_id, kind, subject) values ($1, 'quote', $2)`,
            [accountId, name],
          )
          await client.query('select pg_sleep($1)', [Math.random() / 200])
        }
        await client.query('commit')
      }
    }),
  ).then(() => (isWriting = false))
  const heard: string[] = []
  let cursor: string | null = await begin({ accountId })
  const isDone = () => !isWriting && heard.length >= written.length
  while (!isDone()) {
    let left = randomInt(1, 20)
    const leave = new AbortController()
    for await (const event of openEvents().follow(accountId, cursor, leave.signal)) {
      cursor = event.cursor
      if ('subject' in event) heard.push(event.subject)
      left -= 1
      if (left === 0 || isDone()) break
    }
    leave.abort()
  }
  await writing
  expect(heard.toSorted()).toEqual(written.toSorted())
})

it('a cursor of another account, or of none, begins anew', async () => {
  const [owner, stranger] = [await openAccount(), await openAccount()]
  const cursor = await begin(owner)
  await payTo(stranger)
  for (const foreign of [cursor, 'x', '', 'A'.repeat(10_000)])
    expect((await read(stranger, foreign))[0]).toMatchObject({ kind: 'resync', reason: 'unknown_cursor' })
})

it('a quiet account resumes after hours, and one whose later events are gone begins anew', async () => {
  const owner = await openAccount()
  const early = await begin(owner)
  await payTo(owner)
  const late = (await readUpTo(owner, early)).at(-1)?.cursor ?? ''
  /** The cursor as if it were older. */
  const age = (cursor: string, minutes: number): string => {
    const place = readCursor(secrets, owner.accountId, cursor)
    if (!place) throw new Error('no cursor')
    const at = place.from.at - minutes * 60_000
    return writeCursor(secrets, owner.accountId, { ...place, from: { ...place.from, at } })
  }
  await database.pool.query(run`
    update account_event set at = at - interval '3 hours' where account_id = ${owner.accountId}`)
  expect((await read(owner, age(early, 180)))[0]).toMatchObject({ kind: 'activity' })
  const paid = await payTo(owner)
  expect((await read(owner, age(late, 180)))[0]).toMatchObject({ kind: 'resync', reason: 'expired' })
  expect(subjects(await readUpTo(owner, age(late, 9)), 'activity')).toEqual([paid])
})

it('writing deletes events of the account that no cursor may start from', async () => {
  const [owner, stranger] = [await openAccount(), await openAccount()]
  for (const { accountId } of [owner, stranger]) {
    await writeEvents(accountId, ['old'])
    await database.pool.query(run`
      update account_event set at = now() - interval '16 minutes' where account_id = ${accountId}`)
  }
  await payTo(owner)
  const left = await database.pool.anyFirst(sql.unsafe`
    select account_id from account_event where subject = 'old' and account_id = any(${sql.array(
      [owner.accountId, stranger.accountId],
      'uuid',
    )})`)
  expect(left).toEqual([stranger.accountId])
})

it('many changes by one statement are one event, and many changes while away too', async () => {
  const owner = await openAccount()
  const cursor = await begin(owner)
  await database.pool.query(run`
    insert into address_tx (address, chain_id, tx_hash, block_number, block_time, tx_index)
    select ${owner.parties.A}, 1, 'many ' || place, 5, now(), place from generate_series(1, 200) as place`)
  expect((await readUpTo(owner, cursor)).map(({ kind }) => kind)).toEqual(['resync'])
  await writeEvents(
    owner.accountId,
    Array.from({ length: 600 }, () => randomUUID()),
  )
  expect((await read(owner, cursor))[0]).toMatchObject({ kind: 'resync', reason: 'many' })
})

it('a payment that a reorg takes is an event again', async () => {
  const owner = await openAccount()
  const paid = await payTo(owner)
  const cursor = await begin(owner)
  await popBlocks(database.pool, 1, BigInt(nextBlock - 1), 1)
  expect(subjects(await readUpTo(owner, cursor), 'activity')).toContain(paid)
})

it('the states of a quote are events of the quote and its activity', async () => {
  const owner = await openAccount()
  const cursor = await begin(owner)
  const quote = newQuote(owner.accountId)
  await insertQuote(database.pool, quote)
  const [locked] = await read(owner, cursor)
  expect(locked).toMatchObject({ kind: 'quote', subject: quote.id })
  const query = (change: Parameters<TestDatabase['pool']['query']>[0]) => database.pool.query(change)
  await query(run`update quote set status = 'submitted', submitted_at = now() where id = ${quote.id}`)
  const submitted = await readUpTo(owner, locked?.cursor ?? '')
  expect(submitted.map(({ kind }) => kind)).toEqual(['activity', 'quote', 'review'])
  await query(run`update quote set gas_cost = 1 where id = ${quote.id}`)
  expect(await readUpTo(owner, submitted.at(-1)?.cursor ?? '')).toEqual([])
})
