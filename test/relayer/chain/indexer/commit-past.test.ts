import { randomUUID } from 'node:crypto'
import { zeroAddress, type Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { advanceCursor } from '../../../../db/chain/indexer/advance-cursor.ts'
import { leaseChain, setCursor } from '../../../../db/chain/indexer/indexed-chains.ts'
import { popBlocks, resetChain } from '../../../../db/chain/indexer/pop-blocks.ts'
import { finishNearPast, watchAddresses } from '../../../../db/chain/indexer/watched-addresses.ts'
import { sql } from '../../../../db/connect-database.ts'
import { backfillTogether } from '../../../../relayer/chain/indexer/backfill-together.ts'
import type { BlockFacts } from '../../../../relayer/chain/indexer/block-facts.ts'
import type { ChainIndex } from '../../../../relayer/chain/indexer/chain-index.ts'
import { commitPast } from '../../../../relayer/chain/indexer/commit-blocks.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { seedAddresses } from './seed-addresses.ts'
import { randomAddress } from './chain-calls.ts'
import { readTransfers } from '../../../harness/read-facts.ts'

const chainId = 31_337
let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.drop())

const hashOf = (number: number) => `0x${String(number).padStart(64, '0')}` as const

/** A block with one payment. */
const blockTo = (to: Address, number: bigint): BlockFacts => ({
  number,
  hash: hashOf(Number(number)),
  parentHash: hashOf(Number(number) - 1),
  timestamp: 1_700_000_000,
  traces: 'debug',
  isTraced: true,
  leftOut: [],
  cashEvents: [],
  bridgeEvents: [],
  relayed: [],
  transfers: [
    {
      source: 'call',
      position: 0,
      item: 0,
      txHash: hashOf(Number(number) + 1_000),
      txIndex: 0,
      standard: 'native',
      token: zeroAddress,
      tokenId: null,
      from: randomAddress(),
      to,
      amount: 5n,
    },
  ],
  txs: [],
  intents: [],
  poolEvents: [],
  nativeTouched: [],
  endpoints: new SharedArrayBuffer(0),
})

test('a past block that was read before a reset of the chain is not written', async () => {
  const { pool } = database
  const [late, owner, startBlock] = [randomAddress(), randomUUID(), 1n]
  const lease = await leaseChain(pool, { chainId, startBlock, owner, leaseMs: 60_000 })
  const index = {
    pool,
    chainId,
    owner,
    term: lease?.term,
    cursor: { number: 0n, hash: null },
    poolContracts: new Set(),
    chain: { config: { entrypoint: zeroAddress } },
    publish: () => {},
  } as unknown as ChainIndex
  await seedAddresses(pool, [late])
  await watchAddresses(pool, chainId, [late], { liveFrom: 500n, startBlock })
  await finishNearPast(pool, chainId, [late], 400n)
  await commitPast(index, blockTo(late, 10n), [late])
  expect(await readTransfers(pool, [late], 9)).toMatchObject([{ blockNumber: 10n }])
  await pool.transaction((transaction) => resetChain(transaction, chainId, startBlock, null))
  await commitPast(index, blockTo(late, 11n), [late])
  expect(await readTransfers(pool, [late], 9)).toEqual([])
})

test('a pass does not note a block without all its parts that a reorg removed while it was read', async () => {
  const { pool } = database
  const [other, owner, startBlock] = [chainId + 1, randomUUID(), 1n]
  const lease = await leaseChain(pool, { chainId: other, startBlock, owner, leaseMs: 60_000 })
  const leased = { chainId: other, owner, term: lease!.term }
  const block = { ...blockTo(randomAddress(), 1n), leftOut: ['logs' as const] }
  const from = { number: 0n, hash: null }
  await advanceCursor(pool, leased, { from, blocks: [block], untracedTo: null, keepFrom: 0n })
  await pool.query(sql.typeAlias('void')`
    update indexed_chain set next_pass = next_pass + 1, pass_block = 1, pass_end = 2 where chain_id = ${other}`)
  const noted = () => pool.exists(sql.typeAlias('void')`select from left_out_block where chain_id = ${other}`)
  const again = () =>
    pool.query(sql.typeAlias('void')`update indexed_chain set pass_block = 1 where chain_id = ${other}`)
  let isReorg = true
  const index = {
    pool,
    ...leased,
    cursor: { number: 1n, hash: block.hash },
    config: { depth: 12, parallelBlocks: 3 },
    poolContracts: new Set(),
    chain: { config: {} },
    publish: () => {},
    read: async () => {
      if (isReorg)
        await pool.transaction(async (transaction) => {
          await popBlocks(transaction, other, 0n, 1)
          await setCursor(transaction, other, { ...from, untracedTo: null })
        })
      return block
    },
  } as unknown as ChainIndex
  expect(await backfillTogether(index)).toBe(true)
  expect(await noted()).toBe(false)

  isReorg = false
  await advanceCursor(pool, leased, { from, blocks: [block], untracedTo: null, keepFrom: 0n })
  await again()
  expect(await backfillTogether(index)).toBe(true)
  expect(await noted()).toBe(true)
})
