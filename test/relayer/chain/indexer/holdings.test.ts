import { encodeFunctionData, parseAbi, parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../../db/connect-database.ts'
import type { IndexChange } from '../../../../relayer/chain/indexer/indexer.ts'
import { openTestDatabase } from '../../../harness/open-test-database.ts'
import { giveCollectible, giveMulti, mintCollectible, mintMulti } from './calls.ts'
import { pay, payInside, payToken, unwrap, wrap } from './calls.ts'
import { dumpFacts, expectHoldingsOfChain } from './expect-chain.ts'
import { startIndexer, type RunningIndexer } from './start-indexer.ts'
import { seedAddresses } from './seed-addresses.ts'
import { contracts, randomAddress } from './chain-calls.ts'
import { startIndexWorld, type IndexWorld, untilSynced } from './start-index-world.ts'
import { readPoolEventsOf } from '../../../../db/chain/indexer/read-pool-events.ts'
import {
  findActiveAddresses,
  readActivityCounts,
  readTransfers,
  readHoldings,
  readPoolEvents,
  readPoolEventsOfLabels,
} from '../../../harness/read-facts.ts'

let world: IndexWorld
let running: RunningIndexer
beforeAll(async () => {
  world = await startIndexWorld()
  running = await startIndexer(world.database.pool, world.config)
})
afterAll(async () => {
  await running?.stop()
  await world?.[Symbol.asyncDispose]()
})

const IDS = Array.from({ length: 24 }, (_, index) => BigInt(index + 1))
const at = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item

test("holdings equal the chain's, to the wei, after forty addresses are paid in every way", async () => {
  const { pool } = world.database
  const changes: IndexChange[] = []
  const end = running.indexer.onChanged((change) => void changes.push(change))
  const own = Array.from({ length: 40 }, randomAddress)
  await seedAddresses(pool, own)
  running.indexer.noticeAddresses()
  const [dollar, euro] = contracts.tokens
  await world.mine(...own.map((address, index) => pay(address, parseEther('1') + BigInt(index))))
  await world.mine(
    ...own.slice(0, 20).map((address, index) => payToken(dollar, address, 1_000_000n + BigInt(index))),
    ...own.slice(10, 30).map((address, index) => payInside(address, parseEther('0.25') + BigInt(index))),
  )
  await world.mine(
    ...own.slice(0, 12).map((address, index) => mintCollectible(address, BigInt(index + 1))),
    ...own.slice(4, 16).map((address, index) => mintMulti(address, [BigInt(index + 1), 24n], [7n, 3n])),
    ...own.slice(20, 26).map((address) => wrap(parseEther('0.1'), address)),
  )
  await world.mine(
    ...own.slice(0, 10).map((address, index) => payToken(dollar, at(own, index + 15), 500_000n, address)),
    ...own.slice(20, 23).map((address) => unwrap(parseEther('0.04'), address)),
    ...own
      .slice(0, 6)
      .map((address, index) => giveCollectible(address, at(own, index + 30), BigInt(index + 1))),
    ...own.slice(4, 8).map((address, index) => giveMulti(address, at(own, index + 33), 24n, 2n)),
    payToken(euro, at(own, 3), 10n ** 18n),
    // This call fails on chain and only costs gas.
    payToken(euro, at(own, 4), 10n ** 24n, at(own, 39)),
    // The whole balance, so that only dust of gas remains.
    payToken(dollar, randomAddress(), 1_000_000n + 19n, at(own, 19)),
  )
  await untilSynced(world, running)
  expect(await expectHoldingsOfChain(world, pool, own, IDS)).toBeGreaterThan(100)
  end()
  const told = new Set(changes.flatMap(({ addresses }) => addresses))
  expect(own.every((address) => told.has(address))).toBe(true)
  expect((await readActivityCounts(pool, own)).every(({ activityCount }) => activityCount > 0)).toBe(true)
  expect((await findActiveAddresses(pool, [...own, randomAddress()])).size).toBe(40)
})

test('coins sent in inner calls are transfers, those of failed calls are not', async () => {
  const [address] = [randomAddress()]
  const { pool } = world.database
  await seedAddresses(pool, [address])
  await untilSynced(world, running)
  const [hash] = await world.mine(payInside(address, 77n))
  await untilSynced(world, running)
  const transfers = await readTransfers(pool, [address], 10)
  expect(transfers).toMatchObject([
    { source: 'call', item: 1, txHash: hash, from: contracts.multicall, to: address, amount: 77n },
  ])
})

test('pools and their roots are known from the first block on', async () => {
  const { pool } = world.database
  const { chainId, relayer } = world.config
  const { entrypoint } = relayer!
  const registered = await readPoolEvents(pool, { chainId, address: entrypoint }, ['pool-registered'])
  expect(registered.map(({ asset, pool: contract, scope }) => [asset, contract, scope])).toEqual(
    contracts.pools.map(({ asset, pool: contract, scope }) => [asset, contract, scope]),
  )
})

test('the pool and the Entrypoint report a deposit', async () => {
  const { pool } = world.database
  const { chainId, relayer } = world.config
  const { entrypoint } = relayer!
  const depositor = randomAddress()
  await seedAddresses(pool, [depositor])
  const abi = parseAbi(['function deposit(uint256 precommitment) payable'])
  const data = encodeFunctionData({ abi, functionName: 'deposit', args: [12_345n] })
  await world.mine(pay(depositor, parseEther('2')))
  const [hash = '0x'] = await world.mine({ from: depositor, to: entrypoint, value: parseEther('1'), data })
  await untilSynced(world, running)
  const events = await readPoolEventsOf(pool, [{ chainId, txHash: hash }])
  const value = parseEther('0.995')
  expect(events.map(({ kind }) => kind).toSorted()).toEqual(['deposit', 'entrypoint-deposit', 'leaf'])
  const [deposit, told, leaf] = ['deposit', 'entrypoint-deposit', 'leaf'].map((kind) =>
    events.find((event) => event.kind === kind),
  )
  const address = contracts.pools[0].pool
  expect(deposit).toMatchObject({ contract: address, account: depositor, value, precommitment: 12_345n })
  expect(told).toMatchObject({ contract: entrypoint, account: depositor, pool: address, value })
  expect(leaf?.commitment).toBe(deposit?.commitment)
  expect((await readPoolEventsOfLabels(pool, [deposit?.label ?? 0n])).map(({ kind }) => kind)).toEqual([
    'deposit',
  ])
})

test('a new index of the same chain has the same facts', async () => {
  const fresh = await openTestDatabase()
  try {
    const { pool } = world.database
    const own = await pool.anyFirst(sql.unsafe`
      select address from stealth_address order by derivation_nonce`)
    await seedAddresses(fresh.pool, own as `0x${string}`[])
    const again = await startIndexer(fresh.pool, world.config)
    await untilSynced(world, again)
    await again.stop()
    expect(await dumpFacts(fresh.pool)).toEqual(await dumpFacts(pool))
    expect((await readHoldings(pool, own as `0x${string}`[])).length).toBeGreaterThan(40)
  } finally {
    await fresh.drop()
  }
})
