import { parseEther, toHex, zeroAddress, type Address, type Hash, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../../db/connect-database.ts'
import { openTestDatabase } from '../../../harness/open-test-database.ts'
import { readWatched } from '../../../../db/chain/indexer/watched-addresses.ts'
import { readHoldings, readTransfers } from '../../../harness/read-facts.ts'
import { startNodeDoor, type NodeDoor } from '../broadcast/start-node-door.ts'
import { pay, payInside, payToken } from './calls.ts'
import { contracts, randomAddress } from './chain-calls.ts'
import { reorganize } from './reorganize.ts'
import { seedAddresses } from './seed-addresses.ts'
import { eventually, startIndexWorld, untilSynced, type IndexWorld } from './start-index-world.ts'
import { startIndexer, type RunningIndexer } from './start-indexer.ts'

const TRACES = [
  'trace_block',
  'debug_traceBlockByHash',
  'debug_traceTransaction',
  'trace_transaction',
] as const
const PATIENCE_MS = 400

let world: IndexWorld
let own: readonly Address[]
const opened: (() => unknown)[] = []
beforeAll(async () => {
  world = await startIndexWorld()
})
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})
afterAll(() => world?.[Symbol.asyncDispose]())

interface Indexing extends RunningIndexer {
  database: IndexWorld['database']
  door: NodeDoor
}

/** An indexer behind a door, with two addresses of its own or more. */
async function start({
  addresses = 2,
  ...settings
}: { addresses?: number; sweepPerHead?: number } = {}): Promise<Indexing> {
  own = Array.from({ length: addresses }, randomAddress)
  const database = await openTestDatabase()
  opened.push(database.drop)
  await seedAddresses(database.pool, own)
  const door = await startNodeDoor(world.rpcUrl)
  opened.push(door.close)
  const running = await startIndexer(
    database.pool,
    { ...world.config, startBlock: BigInt(await world.ask<Hex>('eth_blockNumber')) },
    { concedeAfterMs: PATIENCE_MS, ...settings },
    { rpcUrls: [door.url] },
  )
  opened.push(running.stop)
  await untilSynced(world, running)
  return { ...running, database, door }
}

const progressOf = async ({ indexer }: Indexing) => (await indexer.progress())[0]!
const nativeOf = async ({ database }: Indexing, address: Address) =>
  (await readHoldings(database.pool, [address])).find(({ token }) => token === zeroAddress)?.amount ?? 0n
const newest = () => world.ask<{ number: Hex; hash: Hash }>('eth_getBlockByNumber', 'latest', false)

interface RawBlock {
  number: Hex
  hash: Hash
  transactions: unknown[]
}

/** A transaction that the chain itself made, as bor shows it: in the block, and nowhere in the traces. */
const ofChain = ({ number, hash, transactions }: RawBlock) => ({
  hash: `0x${'b0'.repeat(32)}`,
  blockHash: hash,
  blockNumber: number,
  transactionIndex: `0x${transactions.length.toString(16)}`,
  from: zeroAddress,
  to: zeroAddress,
  nonce: '0x0',
  gas: '0x0',
  gasPrice: '0x0',
  value: '0x0',
  input: '0x',
})

test.each(['trace_block', 'debug_traceBlockByHash'])(
  'a transaction of the chain itself that %s leaves out does not hold the chain',
  async (method) => {
    const running = await start()
    const { door } = running
    for (const other of ['trace_block', 'debug_traceBlockByHash'])
      if (other !== method) door.refuse(other, { code: -32_601, message: 'method not found' })
    for (const asked of ['eth_getBlockByNumber', 'eth_getBlockByHash'])
      door.alter(asked, (answer, [, full]) => {
        const block = answer as RawBlock | null
        return block && full && block.transactions.length > 0
          ? { ...block, transactions: [...block.transactions, ofChain(block)] }
          : block
      })
    const [first] = own as [Address]
    await world.mine(pay(first, 5n), payInside(first, 7n))
    await untilSynced(world, running)
    expect(await nativeOf(running, first)).toBe(12n)
    expect(await readTransfers(running.database.pool, [first], 5)).toHaveLength(2)
    expect(await progressOf(running)).toMatchObject({ problem: null, blocksLeftOut: 0, isComparing: false })
  },
)

test('transactions that a block trace leaves out are traced one by one', async () => {
  const running = await start()
  const [first] = own as [Address]
  running.door.alter('trace_block', (traces) => (traces as { transactionPosition: number }[]).slice(0, 1))
  running.door.alter('debug_traceBlockByHash', (traces) => (traces as unknown[]).slice(0, 1))
  await world.mine(pay(own[1]!, 3n), payInside(first, 11n))
  await untilSynced(world, running)
  expect(await readTransfers(running.database.pool, [first], 5)).toMatchObject([{ amount: 11n, item: 1 }])
  expect(await progressOf(running)).toMatchObject({ blocksLeftOut: 0, isComparing: false })
})

test('a block whose traces no node shows goes on by balances, is reported, and is read whole once a node shows them', async () => {
  const running = await start()
  const { door, database } = running
  const [first, second] = own as [Address, Address]
  for (const method of TRACES) door.alter(method, () => [{ nonsense: true }])
  await world.mine(payInside(first, 1_234n), pay(second, 5n))
  const block = await newest()
  await eventually(
    () => progressOf(running),
    ({ indexedBlock, blocksLeftOut }) => indexedBlock === BigInt(block.number) && blocksLeftOut === 1,
  )
  await eventually(
    () => nativeOf(running, first),
    (amount) => amount === 1_234n,
  )
  expect(await nativeOf(running, second)).toBe(5n)
  expect(await readTransfers(database.pool, [first], 5)).toEqual([])
  // From there on no block waits long.
  for (let count = 0; count < 5; count += 1) await world.mine(payInside(first, 1n))
  await eventually(
    () => nativeOf(running, first),
    (amount) => amount === 1_239n,
  )
  for (const method of TRACES) door.alter(method)
  await database.pool.query(sql.typeAlias('void')`update left_out_block set retry_at = now()`)
  await eventually(
    () => progressOf(running),
    ({ blocksLeftOut, isComparing }) => blocksLeftOut === 0 && !isComparing,
  )
  const transfers = await readTransfers(database.pool, [first], 20)
  expect(transfers.reduce((sum, { amount }) => sum + amount, 0n)).toBe(1_239n)
  await untilSynced(world, running)
  expect([await nativeOf(running, first), await nativeOf(running, second)]).toEqual([1_239n, 5n])
})

test('a reorg between two turns of a comparison has the addresses of the first turn compared again', async () => {
  const running = await start({ addresses: 3, sweepPerHead: 2 })
  const { door, database } = running
  const [first, second] = await readWatched(database.pool, world.config.chainId, '', 2)
  const hidden = BigInt((await newest()).number) + 1n
  const blind = new Set<unknown>()
  for (const method of TRACES)
    door.alter(method, (answer, [block]) =>
      blind.has(block) || block === toHex(hidden) || method.includes('ransaction')
        ? [{ nonsense: true }]
        : answer,
    )
  await world.mine(payInside(second!, 1_234n))
  blind.add((await newest()).hash)
  await eventually(
    () => nativeOf(running, second!),
    (amount) => amount === 1_234n,
  )
  await reorganize(world, 1, [payInside(first!, 4_321n)])
  blind.add((await newest()).hash)
  await eventually(
    async () => {
      await world.mineEmpty(1)
      return [await nativeOf(running, first!), await nativeOf(running, second!)]
    },
    ([one, other]) => one === 4_321n && other === 0n,
    30_000,
  )
})

test('a transaction without a receipt holds neither its block nor the chain', async () => {
  const running = await start()
  const { door, database } = running
  const [first, second] = own as [Address, Address]
  const [hidden] = await world.mine(pay(first, 21n), pay(second, 22n))
  door.alter('eth_getTransactionReceipt', (receipt, [hash]) => (hash === hidden ? null : receipt))
  await world.mineEmpty(1)
  await eventually(
    () => nativeOf(running, second),
    (amount) => amount === 22n,
  )
  await eventually(
    () => nativeOf(running, first),
    (amount) => amount === 21n,
  )
  door.alter('eth_getTransactionReceipt')
  await database.pool.query(sql.typeAlias('void')`update left_out_block set retry_at = now()`)
  await eventually(
    () => readTransfers(database.pool, [first], 5),
    (transfers) => transfers.length === 1,
  )
})

test('logs that eth_getLogs leaves out are read from the receipts', async () => {
  const running = await start()
  running.door.alter('eth_getLogs', () => [])
  const [first] = own as [Address]
  await world.mine(payToken(contracts.tokens[0], first, 77n))
  await untilSynced(world, running)
  expect(await readTransfers(running.database.pool, [first], 5)).toMatchObject([{ amount: 77n }])
  expect(await progressOf(running)).toMatchObject({ blocksLeftOut: 0 })
})

test('a block whose logs no node shows is left out alone, and its tokens are found when a node does', async () => {
  const running = await start()
  const { door, database } = running
  const [first, second] = own as [Address, Address]
  await world.mine(payToken(contracts.tokens[0], first, 77n))
  const { number, hash } = await newest()
  const refuse = (answer: unknown, params: readonly unknown[]) =>
    JSON.stringify(params).includes(hash) ? { code: -32_000, message: 'database corrupted' } : answer
  door.alter('eth_getLogs', refuse)
  door.alter('eth_getBlockReceipts', refuse)
  await world.mine(pay(second, 9n))
  await eventually(
    () => nativeOf(running, second),
    (amount) => amount === 9n,
  )
  expect(await progressOf(running)).toMatchObject({ blocksLeftOut: 1 })
  expect((await progressOf(running)).indexedBlock).toBeGreaterThan(BigInt(number))
  for (const method of ['eth_getLogs', 'eth_getBlockReceipts']) door.alter(method)
  await database.pool.query(sql.typeAlias('void')`update left_out_block set retry_at = now()`)
  await eventually(
    async () =>
      (await readHoldings(database.pool, [first])).find(({ token }) => token === contracts.tokens[0]),
    (holding) => holding?.amount === 77n,
  )
})

test('an unreadable balance of coins delays no other', async () => {
  const running = await start()
  const [first, second] = own as [Address, Address]
  running.door.alter('eth_getBalance', (balance, [address]) =>
    address === first ? `0x${'f'.repeat(64)}` : balance,
  )
  await world.mine(pay(first, 1n), pay(second, parseEther('2')))
  await eventually(
    () => nativeOf(running, second),
    (amount) => amount === parseEther('2'),
  )
  expect(await progressOf(running)).toMatchObject({ problem: null })
})

test('blocks of another chain are not indexed', async () => {
  const running = await start()
  const { indexedBlock } = await progressOf(running)
  running.door.alter('eth_chainId', () => '0x1')
  running.door.drop()
  await world.mine(pay(own[0]!, 5n))
  await eventually(
    async () => running.door.asked('eth_chainId'),
    (asked) => asked > 3,
  )
  expect((await progressOf(running)).indexedBlock).toBe(indexedBlock)
  running.door.alter('eth_chainId')
  await untilSynced(world, running)
  expect(await nativeOf(running, own[0]!)).toBe(5n)
})

test('a block that cannot be understood is left out alone', async () => {
  const running = await start()
  const { door, database } = running
  const [first, second] = own as [Address, Address]
  await world.mine(pay(first, 31n))
  const { number, hash } = await newest()
  for (const method of ['eth_getBlockByNumber', 'eth_getBlockByHash'])
    door.alter(method, (answer, [, full]) => {
      const block = answer as RawBlock | null
      return block?.hash === hash && full ? { ...block, transactions: [{ hash: '0x', from: null }] } : block
    })
  await world.mine(pay(second, 32n))
  await eventually(
    async () => [await nativeOf(running, first), await nativeOf(running, second)],
    ([one, other]) => one === 31n && other === 32n,
  )
  expect(await progressOf(running)).toMatchObject({ blocksLeftOut: 1 })
  for (const method of ['eth_getBlockByNumber', 'eth_getBlockByHash']) door.alter(method)
  await database.pool.query(sql.typeAlias('void')`update left_out_block set retry_at = now()`)
  await eventually(
    () => readTransfers(database.pool, [first], 5),
    (transfers) => transfers.length === 1 && transfers[0]?.amount === 31n,
  )
  expect((await progressOf(running)).indexedBlock).toBeGreaterThan(BigInt(number))
})
