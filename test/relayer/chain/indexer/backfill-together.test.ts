import { parseEther, zeroAddress, type Address } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { FUNDED_ADDRESSES_CODE } from '../../../../relayer/chain/indexer/watch-newcomers.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { startDoor } from '../../../harness/start-door.ts'
import { compileSolidity } from '../../market/tokens/compile-solidity.ts'
import { pay } from './calls.ts'
import { randomAddress } from './chain-calls.ts'
import { dumpFacts, expectHoldingsOfChain } from './expect-chain.ts'
import { reorganize } from './reorganize.ts'
import { seedAddresses } from './seed-addresses.ts'
import { eventually, startIndexWorld, untilSynced, type IndexWorld } from './start-index-world.ts'
import { startIndexer, type RunningIndexer } from './start-indexer.ts'
import { createTraffic, type Traffic } from './traffic.ts'

const SETTINGS = { depth: 12, addressesPerLook: 300, parallelBlocks: 3 }

let world: IndexWorld
let own: Address[]
let traffic: Traffic
let database: TestDatabase
let running: RunningIndexer | null
beforeAll(async () => {
  world = await startIndexWorld()
  own = Array.from({ length: 8 }, randomAddress)
  await world.mine(...own.map((address) => pay(address, parseEther('50'))))
  await world.mineEmpty(20)
  traffic = createTraffic(world, own)
  await traffic.run(6)
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

const others = (length: number) => Array.from({ length }, randomAddress)

/** Passes that have begun, the next block of the present one, and the number of addresses that still need one. */
const readPass = () =>
  database.pool.one(sql.type(
    z.object({ begun: z.bigint(), block: z.bigint().nullable(), waiting: z.bigint() }),
  )`
    select next_pass - 1 as begun, pass_block as block,
      (select count(*) from watched_address where pass is not null) as waiting
    from indexed_chain`)

test('the past of many late addresses is read in one pass, through an end of the service and a reorg', async () => {
  const accounts = [[...own.slice(0, 5), ...others(400)], [...own.slice(5), ...others(400)], others(300)]
  const door = await startDoor(world.rpcUrl)
  try {
    const first = await startIndexer(database.pool, world.config, SETTINGS, { rpcUrls: [door.url] })
    await untilSynced(world, first)
    const held = door.hold(['trace_block', 'debug_traceBlockByHash'])
    for (const addresses of accounts) await seedAddresses(database.pool, addresses)
    await eventually(readPass, ({ block }) => block !== null)
    await eventually(
      () => Promise.resolve(held.waiting()),
      (waiting) => waiting > 0,
    )
    await first.stop()
    held.letGo()
  } finally {
    await door.close()
  }
  await reorganize(world, 7, traffic.invent(9))
  running = await startIndexer(database.pool, world.config, SETTINGS)
  await traffic.run(3)
  await untilSynced(world, running)
  const { begun, ...rest } = await readPass()
  expect(begun).toBeGreaterThan(0n)
  expect(rest).toEqual({ block: null, waiting: 0n })

  const fresh = await openTestDatabase()
  try {
    for (const addresses of accounts) await seedAddresses(fresh.pool, addresses)
    const again = await startIndexer(fresh.pool, world.config, SETTINGS)
    await untilSynced(world, again)
    await again.stop()
    expect(await dumpFacts(database.pool)).toEqual(await dumpFacts(fresh.pool))
  } finally {
    await fresh.drop()
  }
  await expectHoldingsOfChain(world, database.pool, own, traffic.ids())
})

test('of many addresses that a chain meets at its start only those with coins get a holding', async () => {
  const head = BigInt(await world.ask<string>('eth_blockNumber'))
  const accounts = own.map((address) => [address, ...others(40)])
  for (const addresses of accounts) await seedAddresses(database.pool, addresses)
  running = await startIndexer(database.pool, { ...world.config, startBlock: head + 1n }, SETTINGS)
  await world.mine(pay(accounts[0]?.[1] as Address, 5n))
  await untilSynced(world, running)
  const held = await database.pool.anyFirst(sql.type(z.object({ address: z.string() }))`
    select address from holding where token = ${zeroAddress}`)
  expect(held.length).toBe(own.length + 1)
  expect(new Set(held)).toEqual(new Set([...own, accounts[0]?.[1]]))
  await expectHoldingsOfChain(world, database.pool, [accounts[0]?.[1] as Address], [])
  expect(await readPass()).toEqual({ begun: 0n, block: null, waiting: 0n })
})

test('the bytecode that finds funded addresses equals its compiled source', () => {
  const source = new URL('../../../../relayer/chain/indexer/contracts/FundedAddresses.sol', import.meta.url)
  expect(compileSolidity(source)['FundedAddresses']?.bytecode).toBe(FUNDED_ADDRESSES_CODE)
})
