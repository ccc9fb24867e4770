import type { NotePosition } from '../../../../db/account/notes/activity-notes.ts'
import { randomUUID } from 'node:crypto'
import type { Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../../db/connect-database.ts'
import { lockTags, writeTag } from '../../../../db/account/notes/address-tags.ts'
import { createNotes } from '../../../../relayer/account/notes/create-notes.ts'
import type { Notes } from '../../../../relayer/account/notes/notes.ts'
import { holdTransaction, untilSomebodyWaits } from '../../../harness/hold-transaction.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { seedAccount } from '../seed-account.ts'
import { seedQuote } from '../seed-quote.ts'

let database: TestDatabase
let notes: Notes
let accountId: string
const owned = new Set<string>()
beforeAll(async () => {
  database = await openTestDatabase()
  notes = createNotes(database.pool, { owns: async (account, address) => owned.has(`${account} ${address}`) })
})
beforeEach(async () => {
  ;({ accountId } = await seedAccount(database.pool))
})
afterAll(() => database.drop())

const about = async (account = accountId) => ({
  type: 'quote',
  quoteId: await seedQuote(database.pool, account),
})
const list = (cursor: NotePosition | null = null, limit = 100) => notes.list(accountId, { cursor, limit })

describe('a note', () => {
  it('is set, changed and cleared', async () => {
    const reference = await about()
    const note = await notes.write(accountId, reference, 'Zmlyc3Q=')
    expect(note).toEqual({ reference, ciphertext: 'Zmlyc3Q=', updatedAt: expect.any(Date) })
    await notes.write(accountId, reference, 'c2Vjb25k')
    expect((await list()).notes).toMatchObject([{ reference, ciphertext: 'c2Vjb25k' }])
    const cleared = { reference, ciphertext: null, updatedAt: null }
    expect(await notes.write(accountId, reference, null)).toEqual(cleared)
    expect(await notes.write(accountId, reference, null)).toEqual(cleared)
    expect(await list()).toEqual({ notes: [], nextCursor: null })
  })

  it('belongs to its account', async () => {
    const { accountId: other } = await seedAccount(database.pool)
    const reference = await about()
    await notes.write(accountId, reference, 'bWluZQ==')
    await expect(notes.write(other, reference, 'dGhlaXJz')).rejects.toMatchObject({ kind: 'not-found' })
    await notes.write(other, reference, null)
    expect((await list()).notes).toMatchObject([{ ciphertext: 'bWluZQ==' }])
    expect((await notes.list(other, { cursor: null, limit: 10 })).notes).toEqual([])
  })

  it('refers to a quote of the account, and can be changed after the quote is forgotten', async () => {
    const unknown = { type: 'quote', quoteId: randomUUID() }
    await expect(notes.write(accountId, unknown, 'eA==')).rejects.toMatchObject({ kind: 'not-found' })
    expect(await notes.write(accountId, unknown, null)).toMatchObject({ ciphertext: null })
    const reference = await about()
    await notes.write(accountId, reference, 'eA==')
    await database.pool.query(sql.typeAlias('void')`delete from quote where id = ${reference.quoteId}`)
    expect(await notes.write(accountId, reference, 'eQ==')).toMatchObject({ ciphertext: 'eQ==' })
  })

  it('is written as a whole by one of several simultaneous requests', async () => {
    const reference = await about()
    await Promise.all(
      Array.from({ length: 8 }, (_, index) => notes.write(accountId, reference, `dGV4dA${index}`)),
    )
    expect((await list()).notes).toHaveLength(1)
  })

  it('is limited to ten thousand per account', async () => {
    await database.pool.query(sql.typeAlias('void')`
      insert into activity_note (account_id, reference_type, quote_id, ciphertext)
      select ${accountId}::uuid, 'quote', gen_random_uuid(), 'eA==' from generate_series(1, 9999)`)
    const last = await about()
    await notes.write(accountId, last, 'bGFzdA==')
    await expect(notes.write(accountId, await about(), 'bW9yZQ==')).rejects.toMatchObject({
      code: 'NOTES_FULL',
    })
    await notes.write(accountId, last, 'Y2hhbmdlZA==')
    await notes.write(accountId, last, null)
    await notes.write(accountId, await about(), 'bW9yZQ==')
  })
})

describe('pages', () => {
  it('hold each note once, newest first, whatever is written meanwhile', async () => {
    await database.pool.query(sql.typeAlias('void')`
      insert into activity_note (account_id, reference_type, quote_id, ciphertext, created_at)
      select ${accountId}::uuid, type, gen_random_uuid(), 'eA==', now() - make_interval(secs => second / 3)
      from generate_series(1, 25) as second, unnest(array['quote', 'transfer']) as type`)
    const before = (await list()).notes.map(({ reference }) => reference)
    expect(before).toHaveLength(50)

    const seen: unknown[] = []
    let cursor: NotePosition | null = null
    do {
      const page = await list(cursor, 7)
      expect(page.notes.length).toBeLessThanOrEqual(7)
      seen.push(...page.notes.map(({ reference }) => reference))
      cursor = page.nextCursor
      await notes.write(accountId, await about(), 'bmV3')
      await notes.write(accountId, before.at(-1)!, 'Y2hhbmdlZA==')
    } while (cursor !== null)
    expect(seen).toEqual(before)
  })

  it('continue when the note at which a page ended was cleared', async () => {
    for (let index = 0; index < 4; index++) await notes.write(accountId, await about(), 'eA==')
    const first = await list(null, 2)
    await notes.write(accountId, first.notes[1]!.reference, null)
    expect((await list(first.nextCursor, 10)).notes).toHaveLength(2)
  })

  it('do not end with an empty page', async () => {
    for (let index = 0; index < 4; index++) await notes.write(accountId, await about(), 'eA==')
    expect((await list((await list(null, 2)).nextCursor, 2)).nextCursor).toBeNull()
  })

  it('accept a cursor of another account, since it names a place and not an account', async () => {
    for (let index = 0; index < 3; index++) await notes.write(accountId, await about(), 'eA==')
    const { nextCursor } = await list(null, 1)
    const { accountId: other } = await seedAccount(database.pool)
    expect(await notes.list(other, { cursor: nextCursor, limit: 10 })).toEqual({
      notes: [],
      nextCursor: null,
    })
  })
})

describe('a tag', () => {
  it("is set, changed and cleared on the account's own addresses only", async () => {
    const address = privateKeyToAddress(generatePrivateKey())
    await expect(notes.writeTag(accountId, address, 'dGFn')).rejects.toMatchObject({ kind: 'not-found' })
    await expect(notes.writeTag(accountId, address, null)).rejects.toMatchObject({ kind: 'not-found' })
    owned.add(`${accountId} ${address}`)
    const { accountId: other } = await seedAccount(database.pool)
    await expect(notes.writeTag(other, address, 'dGFn')).rejects.toMatchObject({ kind: 'not-found' })
    const tag = await notes.writeTag(accountId, address, 'dGFn')
    expect(tag).toEqual({ address, ciphertext: 'dGFn', labelKey: null, updatedAt: expect.any(Date) })
    const changed = await notes.writeTag(accountId, address, 'bmV3')
    expect(await notes.listTags(accountId)).toEqual([changed])
    expect(await notes.listTags(other)).toEqual([])
    expect(await notes.writeTag(accountId, address, null)).toEqual({
      address,
      ciphertext: null,
      labelKey: null,
      updatedAt: null,
    })
    expect(await notes.listTags(accountId)).toEqual([])
  })

  it('retains the key of its label until it is written again without one', async () => {
    const address = privateKeyToAddress(generatePrivateKey())
    owned.add(`${accountId} ${address}`)
    const labelKey = 'bGFiZWwtb2Ytc29tZWJvZHk='
    expect(await notes.writeTag(accountId, address, 'dGFn', labelKey)).toMatchObject({ labelKey })
    expect(await notes.listTags(accountId)).toMatchObject([{ address, labelKey }])
    await notes.writeTag(accountId, address, 'bmV3')
    expect(await notes.listTags(accountId)).toMatchObject([{ ciphertext: 'bmV3', labelKey: null }])
  })

  it("is limited to one answer's size, also for simultaneous requests", async () => {
    const [first, second, third] = [1, 2, 3].map(() => privateKeyToAddress(generatePrivateKey())) as [
      Address,
      Address,
      Address,
    ]
    for (const address of [first, second, third]) owned.add(`${accountId} ${address}`)
    await database.pool.query(sql.typeAlias('void')`
      insert into address_tag (account_id, address, ciphertext)
      select ${accountId}::uuid, 'address ' || place, repeat('A', 8192) from generate_series(1, 511) as place`)
    const most = 'A'.repeat(8_192)
    await notes.writeTag(accountId, first, 'Zmlyc3Q=')
    await expect(notes.writeTag(accountId, second, most)).rejects.toMatchObject({ code: 'NOTES_FULL' })
    expect(await notes.writeTag(accountId, first, most)).toMatchObject({ ciphertext: most })
    await notes.writeTag(accountId, first, null)
    const { accountId: other } = await seedAccount(database.pool)
    owned.add(`${other} ${second}`)
    expect(await notes.writeTag(other, second, most)).toMatchObject({ ciphertext: most })

    const filling = await holdTransaction(database.pool, async (connection) => {
      await lockTags(connection, accountId, second)
      await writeTag(connection, accountId, second, most)
    })
    const late = notes.writeTag(accountId, third, most).catch((error: unknown) => error)
    await untilSomebodyWaits(database.pool)
    await filling.commit()
    expect(await late).toMatchObject({ code: 'NOTES_FULL' })
    expect(await notes.listTags(accountId)).toHaveLength(512)
  })
})
