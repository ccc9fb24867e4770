import { randomBytes, randomUUID } from 'node:crypto'
import type { DatabasePool } from 'slonik'
import { zeroAddress } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { leaseChain, releaseChains } from '../../../../db/chain/indexer/indexed-chains.ts'
import { deleteAccount } from '../../../../relayer/account/erasure/account-data.ts'
import { createVault } from '../../../../relayer/identity/create-vault.ts'
import { createKeyWrapper } from '../../../../relayer/identity/key-wrapper.ts'
import type { ChainIndex } from '../../../../relayer/chain/indexer/chain-index.ts'
import { commitBlocks } from '../../../../relayer/chain/indexer/commit-blocks.ts'
import { recordOwnReviews } from '../../../../relayer/pool/state/follow-reviews.ts'
import { holdTransaction, untilSomebodyWaits } from '../../../harness/hold-transaction.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { buildDepositBlock } from './build-deposit-block.ts'
import { seedWholeAccount, type SeededAccount } from './seed-whole-account.ts'

const chainId = 1
const POOL = 'pool'
const vault = createVault([createKeyWrapper(randomBytes(32))])
let database: TestDatabase
let leaver: SeededAccount
let neighbour: SeededAccount
let index: ChainIndex
/** The database without retries of transactions that PostgreSQL aborts. */
let once: DatabasePool
beforeAll(async () => {
  database = await openTestDatabase()
  const { pool } = database
  once = { ...pool, transaction: (work) => pool.transaction(work, 0) }
  const owner = randomUUID()
  const lease = await leaseChain(pool, { chainId, startBlock: 1n, owner, leaseMs: 600_000 })
  index = {
    chainId,
    owner,
    pool: once,
    term: lease?.term,
    cursor: { number: 0n, hash: null },
    config: { depth: 100 },
    poolContracts: new Set([POOL]),
    chain: { config: { entrypoint: zeroAddress }, head: () => ({ number: 1_000_000n }) },
    endpoints: new Map(),
    publish: () => {},
  } as unknown as ChainIndex
})
afterAll(() => database.drop())
beforeEach(async () => {
  neighbour = await seedWholeAccount(database.pool, vault)
  leaver = await seedWholeAccount(database.pool, vault)
  await database.pool.query(sql.typeAlias('void')`
    insert into watched_address (chain_id, address, live_from)
    select ${chainId}, address, 1 from stealth_address on conflict do nothing`)
})

const nextBlock = (addresses: readonly string[]) => buildDepositBlock(index.cursor, POOL, addresses)
const labelOf = (address: string) =>
  database.pool.oneFirst(sql.type(z.object({ label: z.bigint() }))`
    select label from pool_event where kind = 'deposit' and account = ${address} order by label limit 1`)

const tables = [
  'transfer',
  'indexed_tx',
  'address_tx',
  'holding',
  'watched_address',
  'account_deposit',
  'asp_review',
]
/** Tables, except the pools' public history, that contain one of the account's addresses or its id. */
async function findTraces({ accountId, addresses }: SeededAccount): Promise<string[]> {
  const found: string[] = []
  for (const table of [...tables, 'account_tx', 'account_holding', 'account_deposit_sum', 'account']) {
    const there = await database.pool.exists(sql.typeAlias('void')`
      select from ${sql.identifier([table])} as searched where searched::text ilike any(${sql.array(
        [accountId, ...addresses].map((text) => `%${text.replace(/^0x/, '')}%`),
        'text',
      )})`)
    if (there) found.push(table)
  }
  return found
}

const countIn = (table: string, column: string, value: string) =>
  database.pool.oneFirst(sql.type(z.object({ rows: z.int() }))`
    select count(*)::int4 as rows from ${sql.identifier([table])} where ${sql.identifier([column])} = ${value}`)

/** The indexed facts of the neighbour's address, which must not depend on who left meanwhile. */
const factsOf = async (address: string) => [
  await countIn('transfer', 'to_address', address),
  await countIn('address_tx', 'address', address),
  await countIn('account_deposit', 'address', address),
]
const grown = (facts: readonly number[]) => facts.map((rows) => rows + 1)

/** A transaction that holds the locks at which the others are to stop; in a deadlock PostgreSQL aborts the others first. */
const holdBack = (lock: Parameters<DatabasePool['query']>[0]) =>
  holdTransaction(database.pool, async (transaction) => {
    await transaction.query(sql.typeAlias('void')`set local deadlock_timeout = '10min'`)
    await transaction.query(lock)
    return transaction
  })

/** Stops the writing of a block before any row refers to an account. */
const transfersLock = sql.typeAlias('void')`lock table transfer in share mode`
/** A later stop: at its deposits, after its transfers and transactions. */
const depositsLock = sql.typeAlias('void')`select from pg_advisory_xact_lock(7236514989)`
/** Stops an erasure late, after most is deleted. */
const lateLock = () => sql.typeAlias('void')`
  select from address_tag where account_id = ${leaver.accountId} for update`

describe('a block with deposits of an account that is being deleted', () => {
  it.each([
    ['has hardly begun', transfersLock],
    ['is nearly done', depositsLock],
  ])('may be written first when it %s, and is then erased with the account', async (_, lock) => {
    const [there] = neighbour.addresses.slice(1)
    const before = await factsOf(there!)
    const held = await holdBack(lock)
    const writing = commitBlocks(index, [nextBlock([...leaver.addresses.slice(1), there!])])
    await untilSomebodyWaits(database.pool)
    const deleting = deleteAccount(once, leaver.accountId)
    await untilSomebodyWaits(database.pool, 2)
    await held.commit()
    await writing
    expect(await deleting).toBe(true)
    expect(await findTraces(leaver)).toEqual([])
    expect(await factsOf(there!)).toEqual(grown(before))
  })

  it('may be written afterwards, without anything about the account', async () => {
    const [there] = neighbour.addresses.slice(1)
    const before = await factsOf(there!)
    const held = await holdBack(lateLock())
    const deleting = deleteAccount(once, leaver.accountId)
    await untilSomebodyWaits(database.pool)
    const writing = commitBlocks(index, [nextBlock([...leaver.addresses.slice(1), there!])])
    await untilSomebodyWaits(database.pool, 2)
    await held.commit()
    expect(await deleting).toBe(true)
    await writing
    expect(await findTraces(leaver)).toEqual([])
    expect(await factsOf(there!)).toEqual(grown(before))
  })
})

describe('a review of a deposit of an account that is being deleted', () => {
  const review = (label: bigint) =>
    recordOwnReviews(once, { chainId, address: POOL }, [{ label, status: 'declined' }])
  const depositOf = (address: string) => sql.fragment`from account_deposit where address = ${address}`

  it('may be written first, and is then erased with the account', async () => {
    const [own] = leaver.addresses.slice(1)
    const label = await labelOf(own!)
    const held = await holdBack(sql.typeAlias('void')`select ${depositOf(own!)} for update`)
    const writing = review(label)
    await untilSomebodyWaits(database.pool)
    const deleting = deleteAccount(once, leaver.accountId)
    await untilSomebodyWaits(database.pool, 2)
    await held.commit()
    expect(await writing).toEqual([label])
    expect(await deleting).toBe(true)
    expect(await findTraces(leaver)).toEqual([])
  })

  it('is not written when the deposit is already deleted', async () => {
    const [own] = leaver.addresses.slice(1)
    const label = await labelOf(own!)
    const held = await holdBack(sql.typeAlias('void')`
      select from account_deposit_sum where account_id = ${leaver.accountId} for update`)
    const deleting = deleteAccount(once, leaver.accountId)
    await untilSomebodyWaits(database.pool)
    const writing = review(label)
    await untilSomebodyWaits(database.pool, 2)
    await held.commit()
    expect(await deleting).toBe(true)
    expect(await writing).toEqual([])
    expect(await findTraces(leaver)).toEqual([])
    expect(await countIn('asp_review', 'label', String(label))).toBe(0)
  })

  it('is not written once the account is gone', async () => {
    const [own] = leaver.addresses.slice(1)
    const label = await labelOf(own!)
    expect(await deleteAccount(once, leaver.accountId)).toBe(true)
    expect(await review(label)).toEqual([])
    expect(await countIn('asp_review', 'label', String(label))).toBe(0)
  })
})

describe('when PostgreSQL ends a deadlock', () => {
  it('the erasure is repeated and complete', async () => {
    const held = await holdBack(lateLock())
    const deleting = deleteAccount(database.pool, leaver.accountId)
    await untilSomebodyWaits(database.pool)
    // The erasure holds the account, so now they wait for each other.
    await held.result.query(sql.typeAlias('void')`
      select from account where id = ${leaver.accountId} for update`)
    await held.commit()
    expect(await deleting).toBe(true)
    expect(await findTraces(leaver)).toEqual([])
  })

  it('the block is written again, once', async () => {
    const [there] = neighbour.addresses.slice(1)
    const before = await factsOf(there!)
    const held = await holdBack(depositsLock)
    const again = { ...index, pool: database.pool }
    const writing = commitBlocks(again, [nextBlock([there!])])
    await untilSomebodyWaits(database.pool)
    await held.result.query(sql.typeAlias('void')`
      select from indexed_chain where chain_id = ${chainId} for no key update`)
    await held.commit()
    await writing
    index.cursor = again.cursor
    expect(await factsOf(there!)).toEqual(grown(before))
  })
})

it('releasing several chains locks them in the same order as an erasure', async () => {
  const owner = randomUUID()
  const chains = [1_001, 1_002, 1_003]
  // The lowest address is written last, so that locking in table order would begin with another.
  for (const other of chains.toReversed())
    await leaseChain(database.pool, { chainId: other, startBlock: 1n, owner, leaseMs: 600_000 })
  const held = await holdBack(sql.typeAlias('void')`
    select from indexed_chain where chain_id = ${chains[0]!} for share`)
  const releasing = releaseChains(database.pool, owner)
  await untilSomebodyWaits(database.pool)
  for (const other of chains.slice(1))
    await held.result.query(sql.typeAlias('void')`
      select from indexed_chain where chain_id = ${other} for share nowait`)
  await held.commit()
  await releasing
  const free = await database.pool.anyFirst(sql.type(z.object({ chainId: z.bigint() }))`
    select chain_id as "chainId" from indexed_chain where lease_owner is null order by chain_id`)
  expect(free.map(Number)).toEqual(chains)
})
