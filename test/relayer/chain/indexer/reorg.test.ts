import { parseEther, type Address, type Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { pay } from './calls.ts'
import { dumpFacts, expectHoldingsOfChain } from './expect-chain.ts'
import { startIndexer, type RunningIndexer } from './start-indexer.ts'
import { reorganize } from './reorganize.ts'
import { createTraffic, type Traffic } from './traffic.ts'
import { seedAddresses } from './seed-addresses.ts'
import { randomAddress } from './chain-calls.ts'
import { eventually, startIndexWorld, type IndexWorld, untilSynced } from './start-index-world.ts'

let world: IndexWorld
let own: Address[]
let traffic: Traffic
let database: TestDatabase
let running: RunningIndexer | null
beforeAll(async () => {
  world = await startIndexWorld()
  own = Array.from({ length: 12 }, randomAddress)
  await world.mine(...own.map((address) => pay(address, parseEther('50'))))
  await world.mineEmpty(40)
  traffic = createTraffic(world, own)
})
afterAll(() => world?.[Symbol.asyncDispose]())
beforeEach(async () => {
  database = await openTestDatabase()
})
afterEach(async () => {
  await running?.stop()
  running = null
  await database.drop()
})

/** Checks that an index without reorgs has the same facts, and that the holdings are the chain's. */
async function expectAsFresh(settings: Record<string, unknown> = {}): Promise<void> {
  const fresh = await openTestDatabase()
  try {
    await seedAddresses(fresh.pool, own)
    const again = await startIndexer(fresh.pool, world.config, settings)
    await untilSynced(world, again)
    await again.stop()
    expect(await dumpFacts(database.pool)).toEqual(await dumpFacts(fresh.pool))
    await expectHoldingsOfChain(world, database.pool, own, traffic.ids())
  } finally {
    await fresh.drop()
  }
}

test('after reorgs of one to thirty blocks all facts equal those of a new index', async () => {
  await seedAddresses(database.pool, own)
  running = await startIndexer(database.pool, world.config)
  await traffic.run(32)
  await untilSynced(world, running)
  for (const depth of [1, 7, 30]) {
    await reorganize(world, depth, traffic.invent(depth + 2))
    await untilSynced(world, running)
    await expectHoldingsOfChain(world, database.pool, own, traffic.ids())
    await traffic.run(3)
    await untilSynced(world, running)
  }
  await untilSynced(world, running)
  const [progress] = await running.indexer.progress()
  expect(progress).toMatchObject({ deepestReorg: 30, resyncs: 0, state: 'live', problem: null })
  expect(progress?.reorgs).toBeGreaterThanOrEqual(3)
  await expectAsFresh()
})

test('after reorgs during the backfill of late addresses all facts equal those of a new index', async () => {
  const settings = { depth: 12, logRange: 5, addressesPerQuery: 3, holdingsPerRead: 4 }
  running = await startIndexer(database.pool, world.config, settings)
  await untilSynced(world, running)
  await seedAddresses(database.pool, own.slice(0, 5))
  await reorganize(world, 6, traffic.invent(4))
  await seedAddresses(database.pool, own.slice(5))
  for (const depth of [11, 1]) {
    await reorganize(world, depth, traffic.invent(depth))
    await traffic.run(2)
  }
  await untilSynced(world, running)
  await expectAsFresh(settings)
})

test('a reorg deeper than the stored blocks is reported, and everything is read again', async () => {
  const settings = { depth: 4 }
  await seedAddresses(database.pool, own)
  running = await startIndexer(database.pool, world.config, settings)
  await traffic.run(2)
  await untilSynced(world, running)
  await reorganize(world, 10, traffic.invent(6))
  await traffic.run(1)
  await untilSynced(world, running)
  const [progress] = await running.indexer.progress()
  expect(progress).toMatchObject({ resyncs: 1, state: 'live', problem: null })
  await expectAsFresh(settings)
})

test('a chain that stays shorter is accepted after a while', async () => {
  await seedAddresses(database.pool, own)
  running = await startIndexer(database.pool, world.config, { rollbackGraceMs: 300 })
  const snapshot = await world.ask('evm_snapshot')
  await traffic.run(4)
  await untilSynced(world, running)
  await world.ask('evm_revert', snapshot)
  await untilSynced(world, running)
  await expectAsFresh()
})

test.each([
  ['below the blocks that are kept', 0n],
  ['below the start', 3n],
])('nodes that lag (%s) cause no reorg until they show other blocks', async (_, later) => {
  const settings = { depth: 4, rollbackGraceMs: 100 }
  const snapshot = await world.ask('evm_snapshot')
  const height = BigInt(await world.ask<Hex>('eth_blockNumber'))
  const startBlock = later > 0n ? height + later : world.config.startBlock
  await seedAddresses(database.pool, own)
  running = await startIndexer(database.pool, { ...world.config, startBlock }, settings)
  await traffic.run(10)
  await untilSynced(world, running)
  const facts = await dumpFacts(database.pool)
  await world.ask('evm_revert', snapshot)
  await eventually(
    async () => (await running?.indexer.progress())?.[0],
    (progress) =>
      progress?.problem === 'the nodes are behind' || progress?.reorgs !== 0 || progress.resyncs !== 0,
  )
  expect(await running.indexer.progress()).toMatchObject([{ resyncs: 0, reorgs: 0 }])
  expect(await dumpFacts(database.pool)).toEqual(facts)
  await traffic.run(12)
  await untilSynced(world, running)
  expect(await running.indexer.progress()).toMatchObject([{ resyncs: 1, state: 'live', problem: null }])
})

test('a changed start block makes the indexer read everything again', async () => {
  await seedAddresses(database.pool, own)
  const later = { ...world.config, startBlock: world.config.startBlock + 10n }
  const first = await startIndexer(database.pool, later)
  await untilSynced(world, first)
  await first.stop()
  running = await startIndexer(database.pool, world.config)
  await eventually(
    () => running?.indexer.progress() ?? Promise.resolve([]),
    ([progress]) => progress?.resyncs === 1,
  )
  await untilSynced(world, running)
  await expectAsFresh()
})

test("a chain that gets a relayer is read again, with the pools' earlier events", async () => {
  await seedAddresses(database.pool, own)
  const { relayer: _, ...receiving } = world.config
  const first = await startIndexer(database.pool, receiving)
  await untilSynced(world, first)
  expect((await dumpFacts(database.pool))['pool_event']).toEqual([])
  await first.stop()
  running = await startIndexer(database.pool, world.config)
  await eventually(
    () => running?.indexer.progress() ?? Promise.resolve([]),
    ([progress]) => progress?.resyncs === 1,
  )
  await untilSynced(world, running)
  await expectAsFresh()
})
