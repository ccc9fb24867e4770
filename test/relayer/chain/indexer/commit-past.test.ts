import { randomUUID } from 'node:crypto'
import { zeroAddress, type Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leaseChain } from '../../../../db/chain/indexer/indexed-chains.ts'
import { resetChain } from '../../../../db/chain/indexer/pop-blocks.ts'
import { finishNearPast, watchAddresses } from '../../../../db/chain/indexer/watched-addresses.ts'
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
  await finishNearPast(pool, chainId, [late], { nearFrom: 400n, startBlock })
  await commitPast(index, blockTo(late, 10n), [late])
  expect(await readTransfers(pool, [late], 9)).toMatchObject([{ blockNumber: 10n }])
  await pool.transaction((transaction) => resetChain(transaction, chainId, startBlock, null))
  await commitPast(index, blockTo(late, 11n), [late])
  expect(await readTransfers(pool, [late], 9)).toEqual([])
})
