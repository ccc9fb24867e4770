import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../../db/connect-database.ts'
import {
  findWithdrawnUntil,
  insertWithdrawals,
  lockCollectible,
} from '../../../../db/transact/collectible-withdrawals.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { seedAccount } from '../../account/seed-account.ts'
import { seedQuote } from '../../account/seed-quote.ts'
import { randomAddress } from '../../chain/indexer/chain-calls.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

it('of two accounts that submit one collectible at the same time, one gets the free transfer of the day', async () => {
  const { pool } = database
  const key = { chainId: 31_337, contract: randomAddress(), tokenId: 7n }
  const quoteIds = await Promise.all(
    [0, 1].map(async () => {
      const { accountId } = await seedAccount(pool)
      const quoteId = await seedQuote(pool, accountId)
      await insertWithdrawals(pool, { quoteId, accountId }, [key])
      return quoteId
    }),
  )
  const submit = (quoteId: string) =>
    pool.transaction(async (transaction) => {
      await transaction.query(sql.typeAlias('void')`
        update quote set kind = 'nft_withdraw', submitted_at = now() where id = ${quoteId}::uuid`)
      await lockCollectible(transaction, key)
      return findWithdrawnUntil(transaction, key, quoteId)
    })
  const rested = await Promise.all(quoteIds.map(submit))
  expect(rested.filter((until) => until === null)).toHaveLength(1)
})
