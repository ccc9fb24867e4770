import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { createVault } from '../../../../relayer/identity/create-vault.ts'
import { createKeyWrapper } from '../../../../relayer/identity/key-wrapper.ts'
import type { ToldSpend } from '../../../../relayer/pool/book/book-content.ts'
import { createPoolBooks } from '../../../../relayer/pool/book/pool-books.ts'
import type { SpendingParts } from '../../../../relayer/transact/pool-spending/spending-parts.ts'
import { submitSpend } from '../../../../relayer/transact/pool-spending/submit-spend.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { seedAccount } from '../../account/seed-account.ts'

const POOL = { chainId: 1, address: `0x${'ab'.repeat(20)}` }
const vault = createVault([createKeyWrapper(randomBytes(32))])
const random = () => BigInt(`0x${randomBytes(16).toString('hex')}`)

let database: TestDatabase
let parts: SpendingParts
beforeAll(async () => {
  database = await openTestDatabase()
  const books = createPoolBooks(database.pool, vault)
  // All that a submission uses.
  parts = { database: database.pool, vault, books } as Partial<SpendingParts> as SpendingParts
})
afterAll(() => database?.drop())

/** Stores the quote of a reported spend of one deposit. */
async function quote(accountId: string, label: bigint, until = Date.now() + 60_000): Promise<ToldSpend> {
  const spend: ToldSpend = {
    id: randomUUID(),
    kind: 'incognito_send',
    receives: 5n,
    fee: 0n,
    until,
    isUnlocked: false,
    parts: [{ label, withdrawalIndex: 0, value: 5n, withdraws: 5n, spentBy: null }],
  }
  return parts.books.change(accountId, POOL, async ({ content }) => ({
    content: { ...content, spends: [...content.spends, spend] },
    result: spend,
  }))
}
const submit = (
  accountId: string,
  { id, parts: [part] }: ToldSpend,
  nullifierHash = random(),
  newCommitment = random(),
) =>
  submitSpend(parts, accountId, {
    quoteId: id,
    withdrawals: [{ commitmentId: String(part!.label), nullifierHash, newCommitment }],
  })
const open = async () => (await seedAccount(database.pool)).accountId
const countSpends = (accountId: string) =>
  database.pool.oneFirst(sql.type(z.object({ count: z.int() }))`
    select count(*)::int4 as count from pool_spend where account_id = ${accountId}::uuid`)

it('of submissions that meet the first is written, once, and different ones are refused as another', async () => {
  const accountId = await open()
  const spend = await quote(accountId, 1n)
  const [hash, commitment] = [random(), random()]
  const same = Array.from({ length: 4 }, () => submit(accountId, spend, hash, commitment))
  expect((await Promise.allSettled(same)).map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'))
  expect(await countSpends(accountId)).toBe(1)

  const other = await quote(accountId, 2n)
  const answers = await Promise.allSettled(Array.from({ length: 4 }, () => submit(accountId, other)))
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const answer of answers)
    if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'QUOTE_MISMATCH' })
  expect(await countSpends(accountId)).toBe(2)
})

it('a note that is spent, a hash of another withdrawal and a quote that has run out are refused, and nothing is written', async () => {
  const accountId = await open()
  const [spent, told] = [random(), random()]
  await database.pool.query(sql.typeAlias('void')`
    insert into pool_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, kind, contract, value,
      nullifier_hash, commitment)
    values (1, '0x01', 1, 1, now(), '0x01', 'withdrawal', ${POOL.address}, 5, ${spent}, ${random()})`)
  const spend = await quote(accountId, 1n)
  await expect(submit(accountId, spend, spent)).rejects.toMatchObject({ code: 'NOTE_SPENT' })
  await submit(accountId, await quote(accountId, 2n), told)
  await expect(submit(accountId, spend, told)).rejects.toMatchObject({ code: 'QUOTE_MISMATCH' })
  const late = await quote(accountId, 3n, Date.now() - 1)
  await expect(submit(accountId, late)).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' })
  await expect(submit(await open(), spend)).rejects.toMatchObject({ kind: 'not-found' })
  expect(await countSpends(accountId)).toBe(1)
  await submit(accountId, spend)
})
