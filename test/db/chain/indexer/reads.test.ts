import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  findActiveAddresses,
  readActivity,
  readActivityCounts,
} from '../../../../db/chain/indexer/read-activity.ts'
import {
  readAccountHoldings,
  readHoldings,
  readNftHoldings,
} from '../../../../db/chain/indexer/read-holdings.ts'
import { readPoolEvents, readPoolEventsOf } from '../../../../db/chain/indexer/read-pool-events.ts'
import { createTestDatabase, type TestDatabase } from '../../../harness/start-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const nobody = '0x000000000000000000000000000000000000dEaD'

test('an address that no chain knows has nothing', async () => {
  const { pool } = database
  expect(await readHoldings(pool, [nobody])).toEqual([])
  expect(await readNftHoldings(pool, [nobody])).toEqual([])
  expect(await readAccountHoldings(pool, '00000000-0000-4000-8000-000000000000', 1)).toEqual([])
  expect(await readActivityCounts(pool, [nobody])).toEqual([])
  expect(await findActiveAddresses(pool, [nobody])).toEqual(new Set())
  const after = { blockTime: new Date(), chainId: 1, blockNumber: 5n, txIndex: 3 }
  expect(await readActivity(pool, [nobody], { after, limit: 10 })).toEqual([])
  expect(await readPoolEvents(pool, { chainId: 1, address: nobody }, ['deposit'])).toEqual([])
  expect(await readPoolEventsOf(pool, [{ chainId: 1, txHash: '0x00' }])).toEqual([])
})
