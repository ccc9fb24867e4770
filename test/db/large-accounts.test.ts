import { getAddress } from 'viem'
import type { CommonQueryMethods } from 'slonik'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { analyzeWallets, fillWallet, FUNDED, registerPool } from '../../bench/holdings/fill-wallet.ts'
import { findProfile } from '../../db/account/profile/accounts.ts'
import { listAccountTransactions } from '../../db/activity/account-activity.ts'
import { readIssueState } from '../../db/account/addresses/issue-addresses.ts'
import { countStealthAddresses, listStealthAddresses } from '../../db/account/addresses/stealth-addresses.ts'
import {
  listDeposits,
  listUnrecorded,
  recordDeposits,
} from '../../db/account/collectible/collectible-deposits.ts'
import { readFeeTerms } from '../../db/account/fee-waivers/fee-waivers.ts'
import { reachMovements } from '../../db/account/provenance/reach-movements.ts'
import { listFundedAddresses, sumHoldings } from '../../db/account/balances/address-holdings.ts'
import { sumPoolDeposits } from '../../db/account/balances/pool-deposits.ts'
import { listFundingCandidates } from '../../db/transact/funding-candidates.ts'
import { openTestDatabase, type TestDatabase } from '../harness/open-test-database.ts'
import { seedAccount } from '../relayer/account/seed-account.ts'
import { measureReads } from './read-cost.ts'

const CHAIN = 1
const SMALL = 200
const LARGE = 10_000
const token = getAddress(`0x${'be'.padStart(40, '0')}`)

let database: TestDatabase
let small: string
let large: string
/** Fifty addresses of each account. All were paid by one sender. */
const some = new Map<string, readonly string[]>()
beforeAll(async () => {
  database = await openTestDatabase()
  await registerPool(database.pool, CHAIN, token)
  const fill = async (addresses: number) => {
    const { accountId } = await seedAccount(database.pool)
    await fillWallet(database.pool, { chainId: CHAIN, accountId, addresses, tokens: [token] })
    await recordDeposits(
      database.pool,
      accountId,
      [1n, 2n, 3n].map((tokenId) => ({
        chainId: CHAIN,
        contract: token,
        tokenId: tokenId + BigInt(addresses),
        address: token,
      })),
    )
    return accountId
  }
  large = await fill(LARGE)
  small = await fill(SMALL)
  await analyzeWallets(database.pool)
  for (const accountId of [small, large]) {
    const addresses = await listStealthAddresses(database.pool, accountId, page)
    some.set(
      accountId,
      addresses.map(({ address }) => address),
    )
  }
}, 120_000)
afterAll(() => database?.drop())

const collections = [{ chainId: CHAIN, contract: token }]
const page = { after: null, limit: 50 }
const reads: Record<string, (connection: CommonQueryMethods, accountId: string) => Promise<unknown>> = {
  profile: findProfile,
  'first page of activities': (connection, accountId) => listAccountTransactions(connection, accountId, page),
  'later page of activities': (connection, accountId) =>
    listAccountTransactions(connection, accountId, {
      ...page,
      after: { blockTime: new Date(Date.now() - 60 * 60_000), chainId: CHAIN, blockNumber: 100n, txIndex: 0 },
    }),
  addresses: (connection, accountId) => listStealthAddresses(connection, accountId, page),
  'number of addresses': (connection, accountId) => countStealthAddresses(connection, accountId),
  'addresses with a balance': (connection, accountId) =>
    listStealthAddresses(connection, accountId, { ...page, filter: { hasBalance: true } }),
  'number of addresses with a balance': (connection, accountId) =>
    countStealthAddresses(connection, accountId, { hasBalance: true }),
  'sums of holdings': sumHoldings,
  'sums of deposits': sumPoolDeposits,
  'funded addresses': (connection, accountId) => listFundedAddresses(connection, { accountId }),
  'funds to send': (connection, accountId) =>
    listFundingCandidates(connection, accountId, { chainId: CHAIN, token }),
  'collectibles that came in': (connection, accountId) =>
    listUnrecorded(connection, accountId, collections, 20),
  'recorded collectibles': (connection, accountId) => listDeposits(connection, accountId, collections),
  'terms of fees': (connection, accountId) => readFeeTerms(connection, accountId, collections, 30),
  'where money came from': (connection, accountId) =>
    reachMovements(connection, accountId, some.get(accountId) ?? [], [token]),
  'making an address': (connection, accountId) =>
    readIssueState(connection, {
      accountId,
      since: new Date(Date.now() - 86_400_000),
      wanted: 1,
      limit: 100,
    }),
}

describe('reading an account with fifty times as many addresses', () => {
  test.each(Object.entries(reads))('reads as many pages of the database for %s', async (_, read) => {
    const ofSmall = await measureReads(database.pool, (connection) => read(connection, small))
    const ofLarge = await measureReads(database.pool, (connection) => read(connection, large))
    expect(ofSmall.statements).toBe(1)
    expect(ofLarge.statements).toBe(1)
    expect(ofSmall.pages).toBeGreaterThan(0)
    // Indexes are a level deeper; an address costs at least a fiftieth of a page.
    expect(ofLarge.pages).toBeLessThanOrEqual(ofSmall.pages * 1.5 + 10)
  })

  test("looks up one sender's recipients, and never all of its payments", async () => {
    const addresses = some.get(large) ?? []
    const { pages } = await measureReads(database.pool, (connection) =>
      reachMovements(connection, large, addresses, [token]),
    )
    expect(pages / addresses.length).toBeLessThan(100)
  })

  test('returns the same kind of rows', async () => {
    const { movements } = await reachMovements(database.pool, large, some.get(large) ?? [], [token])
    expect(movements.length).toBeGreaterThanOrEqual(50)
    const used = BigInt(LARGE - FUNDED)
    expect(await sumPoolDeposits(database.pool, large)).toMatchObject([
      { asset: token, approved: (used * (used + 1n)) / 2n, pendingApproval: 0n },
    ])
    expect(await countStealthAddresses(database.pool, large)).toBe(LARGE)
    expect((await listFundedAddresses(database.pool, { accountId: large })).rows).toHaveLength(FUNDED)
    expect(await findProfile(database.pool, large)).toMatchObject({ hasPoolDeposits: true })
  })
})
