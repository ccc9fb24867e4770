import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../../db/connect-database.ts'
import { listBooks } from '../../../../db/pool/book/pool-books.ts'
import { createVault } from '../../../../relayer/identity/create-vault.ts'
import { createKeyWrapper } from '../../../../relayer/identity/key-wrapper.ts'
import { rewrapSecrets } from '../../../../relayer/identity/rewrap-secrets.ts'
import { type PoolBooks, createPoolBooks } from '../../../../relayer/pool/book/pool-books.ts'
import type { ToldSpend } from '../../../../relayer/pool/book/book-content.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { addAccount } from '../../identity/open-instance.ts'
import { createWallet } from '../../identity/wallet.ts'

const POOL = { chainId: 1, address: `0x${'ab'.repeat(20)}` }

const older = createKeyWrapper(randomBytes(32))
const vault = createVault([older])

let database: TestDatabase
let books: PoolBooks
beforeAll(async () => {
  database = await openTestDatabase()
  books = createPoolBooks(database.pool, vault)
})
afterAll(() => database?.drop())

const openAccount = () => addAccount(database, vault, createWallet())
const spendOf = (label: bigint): ToldSpend => ({
  id: randomUUID(),
  kind: 'incognito_send',
  receives: 5n,
  fee: 0n,
  until: Date.now() + 60_000,
  isUnlocked: false,
  parts: [{ label, withdrawalIndex: 0, value: 5n, withdraws: 5n, spentBy: null }],
})
const add = (accountId: string, spend: ToldSpend) =>
  books.change(accountId, POOL, async ({ content }) => ({
    content: { ...content, spends: [...content.spends, spend] },
    result: spend.id,
  }))

it('stores the reported spends, encrypted so that the database alone does not reveal them', async () => {
  const accountId = await openAccount()
  const spend = spendOf(123_456_789_123_456_789n)
  await add(accountId, spend)
  expect((await books.read(accountId, POOL)).content.spends).toEqual([spend])
  const [row] = await listBooks(database.pool, accountId)
  expect(row?.bytes.toString('latin1')).not.toContain('123456789')
  expect(row?.bytes.length).toBeGreaterThan(4_096)
})

it('loses nothing when changes of one book meet', async () => {
  const accountId = await openAccount()
  const told = await Promise.all([1n, 2n, 3n, 4n].map((label) => add(accountId, spendOf(label))))
  const { content } = await books.read(accountId, POOL)
  expect(content.spends.map(({ id }) => id).toSorted()).toEqual(told.toSorted())
})

it('takes back with the book the rows written beside it when the change fails', async () => {
  const accountId = await openAccount()
  await expect(
    books.change(accountId, POOL, async () => {
      throw new Error('the note is taken')
    }),
  ).rejects.toThrow('the note is taken')
  expect(await listBooks(database.pool, accountId)).toEqual([])
})

it('gives no account the book of another, not even under its id', async () => {
  const [one, other] = [await openAccount(), await openAccount()]
  await add(one, spendOf(1n))
  expect((await books.read(other, POOL)).content.spends).toEqual([])
  await database.pool.query(sql.typeAlias('void')`
    update pool_book set account_id = ${other}::uuid where account_id = ${one}::uuid`)
  await expect(books.read(other, POOL)).rejects.toThrow(/another owner/)
  await database.pool.query(sql.typeAlias('void')`delete from pool_book where account_id = ${other}::uuid`)
})

it('opens under a newer master key once it was re-wrapped, and goes on from there', async () => {
  const accountId = await openAccount()
  await add(accountId, spendOf(1n))
  const newer = createKeyWrapper(randomBytes(32))
  const rewrapped = await rewrapSecrets(database.pool, createVault([newer, older]), newer.id)
  expect(rewrapped.find(({ place }) => place === 'pool-book')?.rewrapped).toBeGreaterThan(0)
  const later = createPoolBooks(database.pool, createVault([newer]))
  expect((await later.read(accountId, POOL)).content.spends).toHaveLength(1)
})
