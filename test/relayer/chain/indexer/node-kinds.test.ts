import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { encodeFunctionData, parseAbi, parseEther, zeroAddress, type Address, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { leaseChain, releaseChains } from '../../../../db/chain/indexer/indexed-chains.ts'
import { watchAddresses } from '../../../../db/chain/indexer/watched-addresses.ts'
import { createMemoryState } from '../../../../db/shared-state/create-memory-state.ts'
import { TOKEN_BALANCES_CODE } from '../../../../relayer/chain/indexer/read-balances.ts'
import type { IndexChange } from '../../../../relayer/chain/indexer/indexer.ts'
import { openTestDatabase } from '../../../harness/open-test-database.ts'
import { compileSolidity } from '../../market/tokens/compile-solidity.ts'
import { seedAddresses } from './seed-addresses.ts'
import { pay, payInside, payToken, rich } from './calls.ts'
import { contracts, randomAddress } from './chain-calls.ts'
import { dumpFacts, expectHoldingsOfChain } from './expect-chain.ts'
import { eventually, startIndexWorld, untilSynced, type IndexWorld } from './start-index-world.ts'
import { startIndexer, type RunningIndexer } from './start-indexer.ts'
import { startLyingDoor, type LyingDoor } from './start-lying-door.ts'
import { createTraffic } from './traffic.ts'
import { readTransfers, readHoldings } from '../../../harness/read-facts.ts'

let world: IndexWorld
const own = Array.from({ length: 10 }, randomAddress)
const IDS = Array.from({ length: 40 }, (_, index) => BigInt(index + 1))
const opened: { stop(): Promise<void> }[] = []
beforeAll(async () => {
  world = await startIndexWorld()
  await world.mine(...own.map((address) => pay(address, parseEther('50'))))
  await seedAddresses(world.database.pool, own)
})
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.stop()
})
afterAll(() => world?.[Symbol.asyncDispose]())

async function openDoor(lacks: RegExp): Promise<LyingDoor> {
  const door = await startLyingDoor(world.rpcUrl, 1, lacks)
  opened.push({ stop: door.close })
  return door
}

/** An indexer with its own database and the same addresses. */
async function indexThrough(
  rpcUrls: readonly string[],
): Promise<RunningIndexer & { database: typeof world.database }> {
  const database = await openTestDatabase()
  opened.push({ stop: database.drop })
  await seedAddresses(database.pool, own)
  const running = await startIndexer(database.pool, world.config, {}, { rpcUrls })
  opened.push(running)
  return { ...running, database }
}

test('traces of both formats lead to the same facts', async () => {
  const traffic = createTraffic(world, own, 5)
  await traffic.run(8)
  const plain = await indexThrough([world.rpcUrl])
  const debug = await indexThrough([(await openDoor(/^trace_/)).url])
  await untilSynced(world, plain)
  await untilSynced(world, debug)
  const formOf = async ({ indexer }: RunningIndexer) => (await indexer.progress())[0]?.traces
  expect([await formOf(plain), await formOf(debug)]).toEqual(['parity', 'debug'])
  expect(await dumpFacts(debug.database.pool)).toEqual(await dumpFacts(plain.database.pool))
})

test("without traces, native balances still equal the chain's, and a node with traces is found", async () => {
  const blind = await openDoor(/^(?:debug|trace)_/)
  const poor = await indexThrough([blind.url])
  const both = await indexThrough([blind.url, world.rpcUrl])
  const [first] = own as [Address]
  await world.mine(payInside(first, 1_234n))
  const holdings = (database: typeof world.database) => async () =>
    (await readHoldings(database.pool, [first])).find(({ token }) => token === zeroAddress)?.amount
  const amount = BigInt(await world.ask<Hex>('eth_getBalance', first, 'latest'))
  await eventually(holdings(poor.database), (held) => held === amount)
  await eventually(holdings(both.database), (held) => held === amount)
  expect((await poor.indexer.progress())[0]?.traces).toBe('none')
  expect((await both.indexer.progress())[0]?.traces).toBe('parity')
  expect((await readTransfers(both.database.pool, [first], 1))[0]).toMatchObject({ amount: 1_234n, item: 1 })
  const isUntraced = ({ pool }: typeof world.database) =>
    pool.oneFirst(sql.type(z.object({ untraced: z.boolean() }))`
      select coalesce(untraced_to = block_number, false) as untraced from indexed_chain`)
  expect([await isUntraced(poor.database), await isUntraced(both.database)]).toEqual([true, false])
})

/**
 * A contract that emits Transfer to the recipient in its 64 bytes of input, and misbehaves when it is asked for a
 * balance.
 */
function hostileCode(whenAsked: string): Hex {
  const transfer = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
  // The position of the code that runs if there are 64 bytes.
  const place = (7 + whenAsked.length / 2).toString(16).padStart(2, '0')
  const emit = `5b60203560005260003560007f${transfer}60206000a300`
  return `0x3660401460${place}57${whenAsked}${emit}`
}

test('tokens that burn gas, revert or answer nothing do not disturb others', async () => {
  const { database, ...running } = await indexThrough([world.rpcUrl])
  const kinds = { burn: 'fe', loop: '5b600756', revert: '60006000fd', nothing: '00' }
  const tokens = Object.values(kinds).map((code) => ({ address: randomAddress(), code: hostileCode(code) }))
  for (const { address, code } of tokens) await world.ask('anvil_setCode', address, code)
  const [, second] = own as [Address, Address]
  const named = `0x${second.slice(2).padStart(64, '0')}${'7'.padStart(64, '0')}` as const
  const [payer = '0x'] = rich
  await world.mine(
    ...tokens.map(({ address }) => ({ from: payer, to: address, data: named })),
    payToken(contracts.tokens[0], second, 4_321n),
  )
  await untilSynced(world, running)
  const transfers = await readTransfers(database.pool, [second], 10)
  const said = new Set(transfers.map(({ token }) => token))
  for (const { address } of tokens) expect(said.has(address)).toBe(true)
  await expectHoldingsOfChain(world, database.pool, own, IDS)
  const held = await readHoldings(database.pool, [second])
  expect(held.some(({ token }) => tokens.some(({ address }) => address === token))).toBe(false)
})

test('tokens with huge answers or side effects do not change other readings', async () => {
  const [, , , victim] = own
  const [payer = '0x'] = rich
  const dollar = contracts.tokens[0]
  const transfer = encodeFunctionData({
    abi: parseAbi(['function transfer(address to, uint256 amount)']),
    args: [victim as Address, 5_000_000n],
  })
  const words = transfer.slice(2).padEnd(192, '0').match(/.{64}/g) ?? []
  const store = words
    .map((word, place) => `7f${word}60${(place * 32).toString(16).padStart(2, '0')}52`)
    .join('')
  const move = `${store}6000600060446000600073${dollar.slice(2)}5af15060206060f3`
  const mover = { address: randomAddress(), code: hostileCode(move) }
  // 700,000 bytes each.
  const large = Array.from({ length: 12 }, () => ({
    address: randomAddress(),
    code: hostileCode('620aae606000f3'),
  }))
  const tokens = [mover, ...large]
  for (const { address, code } of tokens) await world.ask('anvil_setCode', address, code)
  const { database, ...running } = await indexThrough([world.rpcUrl])
  await world.mine(payToken(dollar, mover.address, 9_000_000n))
  const named = `0x${victim?.slice(2).padStart(64, '0')}${'7'.padStart(64, '0')}` as const
  await world.mine(
    ...tokens.map(({ address }) => ({ from: payer, to: address, data: named })),
    payToken(dollar, victim as Address, 321n),
  )
  await untilSynced(world, running)
  await expectHoldingsOfChain(world, database.pool, own, IDS)
  const held = await readHoldings(database.pool, [victim as Address])
  expect(held.find(({ token }) => token === dollar)?.amount).toBe(321n)
})

test('the bytecode that reads tokens equals its compiled source', () => {
  const source = new URL('../../../../relayer/chain/indexer/contracts/TokenBalances.sol', import.meta.url)
  expect(compileSolidity(source)['TokenBalances']?.bytecode).toBe(TOKEN_BALANCES_CODE)
})

test('one of two instances indexes, the other takes over, and both hear of every change', async () => {
  const database = await openTestDatabase()
  opened.push({ stop: database.drop })
  const sharedState = createMemoryState(pino({ level: 'silent' }))
  const one = await startIndexer(database.pool, world.config, {}, { sharedState })
  await untilSynced(world, one)
  const other = await startIndexer(database.pool, world.config, {}, { sharedState })
  opened.push(other)
  const heard: IndexChange[] = []
  other.indexer.onChanged((change) => void heard.push(change))
  const worker = async ({ indexer }: RunningIndexer) => (await indexer.progress())[0]?.isWorker
  expect([await worker(one), await worker(other)]).toEqual([true, false])
  const late = randomAddress()
  await seedAddresses(database.pool, [late])
  await world.mine(pay(late, 99n))
  await untilSynced(world, one)
  await eventually(
    async () => heard.flatMap(({ addresses }) => addresses),
    (addresses) => addresses.includes(late),
  )
  await one.stop()
  await eventually(() => worker(other), Boolean)
  await world.mine(pay(late, 1n))
  await untilSynced(world, other)
  expect(await readHoldings(database.pool, [late])).toMatchObject([{ amount: 100n, stale: false }])
})

test('an instance that regains its lease watches addresses that the other one added', async () => {
  const { database, ...running } = await indexThrough([world.rpcUrl])
  const { chainId, startBlock } = world.config
  await untilSynced(world, running)
  const late = randomAddress()
  await database.pool.transaction(async (transaction) => {
    const { owner, cursor } = await transaction.one(sql.type(
      z.object({ owner: z.string(), cursor: z.bigint() }),
    )`
      update indexed_chain set lease_until = now() - interval '1 second' where chain_id = ${chainId}
      returning lease_owner::text as owner, block_number as cursor`)
    const take = (by: string) => leaseChain(transaction, { chainId, startBlock, owner: by, leaseMs: 15_000 })
    // Another instance holds the lease while the first one sleeps; then the first one takes it back.
    const other = randomUUID()
    expect(await take(other)).not.toBeNull()
    await seedAddresses(transaction, [late])
    await watchAddresses(transaction, chainId, [late], { liveFrom: cursor + 1n, startBlock })
    await releaseChains(transaction, other)
    expect(await take(owner)).not.toBeNull()
  })
  await untilSynced(world, running)
  await world.mine(pay(late, 77n))
  await untilSynced(world, running)
  expect(await readHoldings(database.pool, [late])).toMatchObject([{ amount: 77n, stale: false }])
  expect(await readTransfers(database.pool, [late], 2)).toHaveLength(1)
})
