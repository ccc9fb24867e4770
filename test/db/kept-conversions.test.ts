import { randomBytes } from 'node:crypto'
import { bytesToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { insertFacts } from '../../db/chain/indexer/write-facts.ts'
import type { PoolEventRow } from '../../db/chain/indexer/rows.ts'
import { sql } from '../../db/connect-database.ts'
import { insertConversions } from '../../db/pool/notes/pool-conversions.ts'
import { deleteLapsedQuotes } from '../../db/upkeep-tasks.ts'
import { openTestDatabase, type TestDatabase } from '../harness/open-test-database.ts'
import { seedAccount } from '../relayer/account/seed-account.ts'
import { seedQuote } from '../relayer/account/seed-quote.ts'
import { randomAddress } from '../relayer/chain/indexer/chain-calls.ts'
import { NO_FACTS } from '../relayer/transact/orders/seed-orders.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

const pool = { chainId: 1, address: randomAddress() }

/** A quote that lapsed long ago, and would have made a deposit of that precommitment. */
async function lapse(accountId: string, depositIndex: number, precommitment: bigint): Promise<string> {
  const quoteId = await seedQuote(database.pool, accountId)
  const address = randomAddress()
  await insertConversions(database.pool, { quoteId, accountId, pool }, [
    { place: 0, address, depositIndex, precommitment, gross: 100n, net: 99n, depositFee: 0n },
  ])
  await database.pool.query(sql.typeAlias('void')`
    update quote set status = 'expired', ended_at = now() - interval '40 days' where id = ${quoteId}`)
  return quoteId
}

/** Adds a deposit of a precommitment. */
async function deposit(chainId: number, precommitment: bigint): Promise<void> {
  const hash = () => bytesToHex(randomBytes(32))
  const event: PoolEventRow = {
    chainId,
    blockHash: hash(),
    logIndex: 0,
    blockNumber: 1n,
    blockTime: new Date(),
    txHash: hash(),
    kind: 'deposit',
    contract: pool.address,
    pool: null,
    asset: null,
    account: randomAddress(),
    relayer: null,
    value: 99n,
    fee: null,
    commitment: 1n,
    label: 1n,
    precommitment,
    nullifierHash: null,
    root: null,
    leafIndex: null,
    scope: null,
    ipfsCid: null,
  }
  await insertFacts(database.pool, { ...NO_FACTS, poolEvents: [event] })
}

test('a lapsed quote stays for as long as a deposit says that its index is used up', async () => {
  const { accountId } = await seedAccount(database.pool)
  await lapse(accountId, 0, 10n)
  const used = await lapse(accountId, 1, 11n)
  await lapse(accountId, 2, 12n)
  await deposit(1, 11n)
  await deposit(2, 12n)
  expect(await deleteLapsedQuotes(database.pool, { most: 10, days: 30 })).toBe(2)
  const left = await database.pool.anyFirst(sql.type(z.object({ id: z.string() }))`select id from quote`)
  expect(left).toEqual([used])
})
