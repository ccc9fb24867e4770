import fc from 'fast-check'
import { randomBytes, randomUUID } from 'node:crypto'
import type { DatabasePool } from 'slonik'
import { bytesToHex, getAddress, numberToHex, zeroAddress } from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import { findProfile } from '../../db/account/profile/accounts.ts'
import { countInteractions, listAccountTransactions } from '../../db/activity/account-activity.ts'
import { countStealthAddresses, listStealthAddresses } from '../../db/account/addresses/stealth-addresses.ts'
import { sql } from '../../db/connect-database.ts'
import { ACCOUNT_TABLES } from '../../db/account-tables.ts'
import { eraseAccountRows } from '../../db/account/erasure/account-rows.ts'
import { listFundedAddresses, sumHoldings } from '../../db/account/balances/address-holdings.ts'
import { sumPoolDeposits } from '../../db/account/balances/pool-deposits.ts'
import type { ActivityCursor } from '../../db/activity/account-activity.ts'
import { listFundingCandidates } from '../../db/transact/funding-candidates.ts'
import { openTestDatabase } from '../harness/open-test-database.ts'
import {
  naiveAddresses,
  naiveDeposits,
  naiveHasDeposits,
  naiveHoldings,
  naiveLocks,
  naiveTransactions,
} from './naive-reads.ts'

const random = (count: number) => Array.from({ length: count }, () => getAddress(bytesToHex(randomBytes(20))))
const accounts = [randomUUID(), randomUUID()]
/** Some are given to an account at some point; the last never is. */
const addresses = random(7)
const pools = random(2)
const tokens = [zeroAddress, ...random(1)]
const run = sql.typeAlias('void')

const address = fc.constantFrom(...addresses)
const chainId = fc.constantFrom(1, 10)
const block = fc.integer({ min: 1, max: 6 })
const label = fc.integer({ min: 1, max: 5 })
const pool = fc.constantFrom(...pools)
const token = fc.constantFrom(...tokens)

const change = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('own' as const),
      account: fc.nat(1),
      address: fc.constantFrom(...addresses.slice(0, -1)),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('touch' as const),
      chainId,
      block,
      index: fc.nat(2),
      from: address,
      to: address,
      touched: fc.uniqueArray(address, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constantFrom('deposit' as const, 'ragequit' as const),
      chainId,
      block,
      index: fc.nat(3),
      pool,
      address,
      label,
      value: fc.integer({ min: 0, max: 1_000 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('review' as const),
      chainId,
      pool,
      label,
      status: fc.constantFrom('pending', 'approved', 'declined'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('hold' as const),
      chainId,
      address,
      token,
      amount: fc.integer({ min: 0, max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('lock' as const),
      chainId,
      address,
      token,
      amount: fc.integer({ min: 0, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('unreview' as const), chainId, pool, label }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('join' as const), chainId, label }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('drop' as const), chainId, label }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('reorg' as const), chainId, block }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('erase' as const), account: fc.nat(1) }) },
)
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never

const hashOf = (...parts: number[]) =>
  numberToHex(
    parts.reduce((sum, part) => sum * 100 + part, 7),
    { size: 32 },
  )
const timeOf = (number: number) => sql.timestamp(new Date(number * 12_000))

const insertAccount = (database: Pick<DatabasePool, 'query'>, accountId: string) =>
  database.query(run`
    insert into account (id, auth_address, sealed_keys, master_key_id) values (${accountId}, ${accountId}, ''::bytea, 'none')`)

async function apply(database: DatabasePool, one: Change): Promise<void> {
  if (one.what === 'own')
    await database.query(run`
      insert into stealth_address (address, account_id, derivation_nonce, generation_context)
      values (${one.address}, ${accounts[one.account]!}, ${addresses.indexOf(one.address)}, 'external')
      on conflict do nothing`)
  if (one.what === 'touch') {
    const txHash = hashOf(one.chainId, one.block, one.index)
    await database.query(run`
      insert into indexed_tx (chain_id, tx_hash, block_hash, block_number, block_time, tx_index, from_address, to_address,
        tx_nonce, value, succeeded, gas_used, fee)
      values (${one.chainId}, ${txHash}, ${hashOf(one.chainId, one.block)}, ${one.block}, ${timeOf(one.block)},
        ${one.index}, ${one.from}, ${one.to}, 0, 0, true, 21000, 1) on conflict do nothing`)
    await database.query(run`
      insert into transfer (chain_id, block_hash, source, position, block_number, block_time, tx_hash, standard, token,
        from_address, to_address, amount)
      values (${one.chainId}, ${hashOf(one.chainId, one.block)}, 'log', ${one.index}, ${one.block}, ${timeOf(one.block)},
        ${txHash}, 'erc20', ${tokens[1]!}, ${one.to}, ${one.from}, 5) on conflict do nothing`)
    await database.query(run`
      insert into address_tx (address, chain_id, tx_hash, block_number, block_time, tx_index)
      select address, ${one.chainId}, ${txHash}, ${one.block}, ${timeOf(one.block)}, ${one.index}
      from unnest(${sql.array(one.touched, 'text')}) as address on conflict do nothing`)
  }
  if (one.what === 'deposit' || one.what === 'ragequit')
    await database.query(run`
      insert into pool_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, kind, contract, account,
        value, label)
      values (${one.chainId}, ${hashOf(one.chainId, one.block)}, ${one.index}, ${one.block}, ${timeOf(one.block)},
        ${hashOf(one.chainId, one.block, one.index)}, ${one.what}, ${one.pool}, ${one.address}, ${one.value}, ${one.label})
      on conflict do nothing`)
  if (one.what === 'review')
    await database.query(run`
      insert into asp_review (chain_id, pool, label, status)
      values (${one.chainId}, ${one.pool}, ${one.label}, ${one.status})
      on conflict (chain_id, pool, label) do update set status = excluded.status`)
  if (one.what === 'unreview')
    await database.query(run`
      delete from asp_review where chain_id = ${one.chainId} and pool = ${one.pool} and label = ${one.label}`)
  if (one.what === 'join')
    await database.query(run`
      insert into asp_set (chain_id, position, label)
      select ${one.chainId}, coalesce(max(position) + 1, 0), ${one.label} from asp_set
      where chain_id = ${one.chainId} on conflict do nothing`)
  if (one.what === 'drop')
    await database.query(run`delete from asp_set where chain_id = ${one.chainId} and label = ${one.label}`)
  if (one.what === 'hold')
    await database.query(run`
      insert into holding (chain_id, address, standard, token, amount, stale, as_of_number, as_of_hash)
      values (${one.chainId}, ${one.address}, 'erc20', ${one.token}, ${one.amount}, false, 1, '0x00')
      on conflict (address, chain_id, standard, token, token_id) do update set amount = excluded.amount`)
  if (one.what === 'lock')
    await database.query(run`
      insert into locked_funds (chain_id, address, token, amount, ceiling)
      select ${one.chainId}, address, ${one.token}, ${one.amount}, 100 from stealth_address
      where address = ${one.address}
      on conflict (address, chain_id, token) do update set amount = excluded.amount`)
  if (one.what === 'reorg')
    await database.transaction(async (transaction) => {
      for (const table of ['transfer', 'indexed_tx', 'address_tx', 'pool_event'])
        await transaction.query(run`
          delete from ${sql.identifier([table])} where chain_id = ${one.chainId} and block_number > ${one.block}`)
    })
  if (one.what === 'erase')
    await database.transaction(async (transaction) => {
      await eraseAccountRows(transaction, accounts[one.account]!, ACCOUNT_TABLES)
      await insertAccount(transaction, accounts[one.account]!)
    })
}

/** All pages, two transactions each. */
async function listAll(database: DatabasePool, accountId: string, involving: string | undefined) {
  const found: { chainId: number; txHash: string }[] = []
  let after: ActivityCursor | null = null
  for (;;) {
    const page = { after, limit: 2, ...(involving !== undefined && { involving }) }
    const rows = await listAccountTransactions(database, accountId, page)
    found.push(...rows.map(({ chainId: chain, txHash }) => ({ chainId: chain, txHash })))
    after = rows.at(-1) ?? null
    if (rows.length < 2) return found
  }
}

async function compare(database: DatabasePool, accountId: string): Promise<void> {
  expect(await listAll(database, accountId, undefined)).toEqual(
    await naiveTransactions(database, accountId, null),
  )
  for (const party of addresses.slice(0, 2).concat(addresses.at(-1)!)) {
    const naive = await naiveTransactions(database, accountId, party)
    expect(await listAll(database, accountId, party)).toEqual(naive)
    expect(await countInteractions(database, accountId, party)).toEqual({
      count: naive.length,
      chainIds: [...new Set(naive.map((tx) => tx.chainId))].sort((a, b) => a - b),
    })
  }

  const deposits = await sumPoolDeposits(database, accountId)
  const byPlace = (a: (typeof deposits)[number], b: (typeof deposits)[number]) =>
    a.chainId - b.chainId || (a.asset < b.asset ? -1 : 1)
  const naiveSums = await naiveDeposits(database, accountId)
  expect(deposits.toSorted(byPlace)).toEqual(naiveSums.toSorted(byPlace))
  const profile = await findProfile(database, accountId)
  expect(profile?.hasPoolDeposits).toBe(await naiveHasDeposits(database, accountId))

  const held = await naiveHoldings(database, accountId)
  const sums = Map.groupBy(held, (row) => `${row.chainId} ${row.token}`)
  const told = await sumHoldings(database, accountId)
  const locks = await naiveLocks(database, accountId)
  expect(told).toHaveLength(sums.size)
  for (const sum of told) {
    const rows = sums.get(`${sum.chainId} ${sum.token}`) ?? []
    const total = rows.reduce((so, { amount }) => so + amount, 0n)
    const promised = locks.find((row) => row.chainId === sum.chainId && row.token === sum.token)?.amount ?? 0n
    expect(sum.free + sum.locked).toBe(total)
    expect(sum.locked).toBe(promised < total ? promised : total)
  }
  const own = await naiveAddresses(database, accountId)
  const funded = [...new Set(held.map((row) => row.address))]
  const { rows, total } = await listFundedAddresses(database, { accountId })
  expect(rows.map((row) => row.address)).toEqual(funded)
  expect(total).toBe(funded.length)
  for (const wanted of tokens) {
    const onChain = held.filter((row) => row.chainId === 10 && row.token === wanted)
    const candidates = await listFundingCandidates(database, accountId, { chainId: 10, token: wanted })
    expect(candidates.map((row) => [row.address, row.amount, row.locked])).toEqual(
      onChain.map((row) => [row.address, row.amount, row.locked]),
    )
    const filter = { accountId, chainId: 10, token: wanted }
    for (const offset of [1, 1_000]) {
      const page = await listFundedAddresses(database, filter, { limit: 1, offset })
      expect(page.total).toBe(onChain.length)
      expect(page.rows.map((row) => row.address)).toEqual(
        onChain.slice(offset, offset + 1).map((row) => row.address),
      )
    }
  }

  const listed = async (filter: { hasBalance?: boolean }) => {
    const page = await listStealthAddresses(database, accountId, { after: null, limit: 100, filter })
    expect(await countStealthAddresses(database, accountId, filter)).toBe(page.length)
    return page.map((row) => row.address)
  }
  expect(await listed({})).toEqual(own)
  expect(await listed({ hasBalance: true })).toEqual(funded)
  expect(await listed({ hasBalance: false })).toEqual(own.filter((one) => !funded.includes(one)))
}

test('the transactions and deposits of an account equal those of its addresses after any changes, reorgs and erasures', async () => {
  const { pool: database, drop } = await openTestDatabase()
  onTestFinished(drop)
  for (const accountId of accounts) await insertAccount(database, accountId)
  for (const chain of [1, 10])
    for (const [place, registered] of pools.entries())
      await database.query(run`
        insert into pool_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, kind, contract, pool,
          asset)
        values (${chain}, '0x00', ${place}, 0, now(), '0x00', 'pool-registered', 'entrypoint', ${registered}, ${tokens[place]!})`)
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
      for (const one of changes) await apply(database, one)
      for (const accountId of accounts) await compare(database, accountId)
    }),
    { numRuns: 25, endOnFailure: true },
  )
})

test('an address and its holdings may be written in one statement', async () => {
  const { pool: database, drop } = await openTestDatabase()
  onTestFinished(drop)
  const [accountId] = accounts as [string]
  await insertAccount(database, accountId)
  await database.query(run`
    with owned as (
      insert into stealth_address (address, account_id, derivation_nonce)
      select unnest(${sql.array(addresses, 'text')}), ${accountId}, generate_series(1, ${addresses.length})
      returning address
    )
    insert into holding (chain_id, address, standard, token, amount, stale, as_of_number, as_of_hash)
    select 1, address, 'erc20', ${tokens[1]!}, 5, false, 1, '0x00' from owned`)
  const free = BigInt(addresses.length * 5)
  expect(await sumHoldings(database, accountId)).toEqual([{ chainId: 1, token: tokens[1], free, locked: 0n }])
  await compare(database, accountId)
})
