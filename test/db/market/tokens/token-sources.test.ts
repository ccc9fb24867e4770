import { afterAll, beforeAll, expect, test } from 'vitest'
import { pad, toHex } from 'viem'
import {
  listTokenSources,
  recordTokenSources,
  type NewTokenSource,
} from '../../../../db/market/tokens/token-sources.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

const sourceOf = (number: number): NewTokenSource => ({
  chainId: 1,
  address: pad(toHex(number), { size: 20 }),
  source: 'chain',
  sourceId: String(number),
  symbol: 'T',
  name: 'Token',
  decimals: 18,
  logoUrl: null,
  externalUrl: null,
  totalSupply: 2n ** 255n,
  wasHidden: false,
})

test('concurrent writers of the same tokens in any order do not deadlock', async () => {
  const sources = Array.from({ length: 300 }, (_, number) => sourceOf(number))
  const orders = [sources, sources.toReversed(), [...sources.slice(150), ...sources.slice(0, 150)]]
  for (let round = 0; round < 10; round++)
    await Promise.all([...orders, ...orders].map((order) => recordTokenSources(database.pool, order, 'held')))
  expect(await listTokenSources(database.pool, sources, 'all')).toHaveLength(300)
})
