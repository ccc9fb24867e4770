import { randomBytes, randomUUID } from 'node:crypto'
import { bytesToHex, zeroAddress, type Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listPendingQuotes } from '../../../../db/activity/pending.ts'
import { popBlocks } from '../../../../db/chain/indexer/pop-blocks.ts'
import type { BridgeEventRow } from '../../../../db/chain/indexer/rows.ts'
import { insertFacts } from '../../../../db/chain/indexer/write-facts.ts'
import { sql } from '../../../../db/connect-database.ts'
import {
  insertBridgeOrder,
  readFillTimeMs,
  listDueDepositors,
  listOpenDepositors,
  readFinalHeads,
} from '../../../../db/transact/bridge-orders.ts'
import { lockOrdersOf } from '../../../../db/transact/followed-orders.ts'
import { relayKeyOf } from '../../../../relayer/transact/orders/follow-orders.ts'
import { reviewOrders } from '../../../../relayer/transact/orders/review-orders.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { randomAddress } from '../../chain/indexer/chain-calls.ts'
import { seedAccount } from '../../account/seed-account.ts'
import { seedQuote } from '../../account/seed-quote.ts'

const [ORIGIN, DESTINATION] = [1, 2]
const chains = [ORIGIN, DESTINATION].map((chainId) => ({ chainId, confirmations: 2 }))
const [depositor, recipient, input, output] = Array.from({ length: 4 }, randomAddress) as [Hex, Hex, Hex, Hex]
const hash = () => bytesToHex(randomBytes(32))
const executedTx = hash()

let database: TestDatabase
let accountId: string
let quoteId: string
let key: Hex
beforeAll(async () => {
  database = await openTestDatabase()
  const { pool } = database
  accountId = (await seedAccount(pool)).accountId
  quoteId = await seedQuote(pool, accountId)
  const run = sql.typeAlias('void')
  await pool.query(run`insert into stealth_address (address, account_id, derivation_nonce, generation_context)
    values (${depositor}, ${accountId}, 0, 'external')`)
  await pool.query(
    run`update quote set submitted_at = now(), ended_at = now() - interval '1 hour' where id = ${quoteId}`,
  )
  await pool.query(run`insert into intent (id, quote_id, account_id, place, chain_id, eoa, intent_nonce, combined_gas,
      transaction_gas, status, expires_at, from_block, ended_at)
    values (${randomUUID()}, ${quoteId}, ${accountId}, 0, ${ORIGIN}, ${depositor}, 5, 1, 1, 'succeeded', now(), 1, now())`)
  await insertBridgeOrder(pool, {
    quoteId,
    accountId,
    deposit: {
      provider: 'across',
      originChainId: ORIGIN,
      destinationChainId: DESTINATION,
      depositor,
      recipient,
      exclusiveRelayer: zeroAddress,
      inputToken: input,
      outputToken: output,
      inputAmount: 100n,
      outputAmount: 99n,
      quoteTimestamp: 900,
      fillDeadline: 1_000,
      exclusivityDeadline: 0,
      message: '0x',
    },
    outputRecipient: recipient,
    outputToken: output,
    expectedOutput: 99n,
    minimumOutput: 99n,
    sourceToken: input,
    sourceAmount: 100n,
    estimatedFillMs: 2_000,
  })
  const [order] = await lockOrdersOf(pool, [depositor])
  if (!order) throw new Error('the order was not written')
  key = relayKeyOf(order, 7n)
})
afterAll(() => database?.drop())

/** Writes blocks up to a number; the newest final one has that time. */
async function reach(chainId: number, number: bigint, time = 950): Promise<void> {
  const run = sql.typeAlias('void')
  await database.pool.query(run`insert into indexed_chain (chain_id, start_block, block_number, block_hash)
    values (${chainId}, 1, ${number}, 'h') on conflict (chain_id) do update set block_number = ${number}`)
  await database.pool.query(run`insert into indexed_block (chain_id, number, hash, parent_hash, mined_at)
    select ${chainId}, ${number - 2n}, 'h', 'p', to_timestamp(${time}) on conflict do nothing`)
}

async function happen(chainId: number, block: bigint, changes: Partial<BridgeEventRow>): Promise<void> {
  const at = { chainId, blockHash: hash(), blockNumber: block, blockTime: new Date(), txHash: hash() }
  const blank = { token: null, amount: null, isDeferred: null, fallbackRecipient: null }
  const event: BridgeEventRow = {
    ...at,
    logIndex: 1,
    item: 0,
    kind: 'fill',
    address: depositor,
    relayKey: key,
    depositId: 7n,
    quoteTimestamp: null,
    ...blank,
    ...changes,
  }
  const intent = {
    ...at,
    txHash: executedTx,
    logIndex: 1_000,
    orchestrator: zeroAddress,
    eoa: depositor,
    intentNonce: 5n,
    incremented: true,
    err: '0x00000000' as const,
    firstLog: 0,
    firstMove: 1,
    lastMove: 0,
  }
  await insertFacts(database.pool, {
    transfers: [],
    txs: [],
    addressTxs: [],
    poolEvents: [],
    hasRelayed: false,
    cashEvents: [],
    bridgeEvents: [event],
    intents: event.kind === 'deposit' ? [intent] : [],
  })
}

async function review(): Promise<string | undefined> {
  await reviewOrders(database.pool, chains, [depositor])
  const [order] = await lockOrdersOf(database.pool, [depositor])
  return order?.status
}
const due = async (chainId: number) => {
  const heads = await readFinalHeads(
    database.pool,
    chains.filter((chain) => chain.chainId === chainId),
  )
  return (
    await Promise.all(heads.map((head) => listDueDepositors(database.pool, head, { after: '', limit: 9 })))
  ).flat()
}
const shown = async () =>
  (await listPendingQuotes(database.pool, accountId, 300_000)).map(({ order }) => order?.status)

it('an order goes through its states as both chains are indexed, and back with a reorg', async () => {
  const { pool } = database
  expect(await review()).toBe('pending')
  await reach(ORIGIN, 11n)
  await reach(DESTINATION, 20n)
  await happen(ORIGIN, 10n, { kind: 'deposit', txHash: executedTx, quoteTimestamp: 900 })
  expect(await review()).toBe('pending')
  expect(await due(ORIGIN)).toEqual([])
  await reach(ORIGIN, 12n)
  expect(await due(ORIGIN)).toEqual([depositor])
  expect(await review()).toBe('confirmed_source')
  expect(await due(ORIGIN)).toEqual([])
  expect(await shown()).toEqual(['confirmed_source'])

  // Another deposit with our number is filled.
  await happen(DESTINATION, 17n, { relayKey: hash(), amount: 1n })
  expect(await review()).toBe('confirmed_source')
  await reach(DESTINATION, 30n, 1_001)
  expect(await due(DESTINATION)).toEqual([depositor])
  expect(await review()).toBe('expired')
  expect(await due(DESTINATION)).toEqual([])

  await happen(ORIGIN, 10n, {
    kind: 'refund',
    token: input,
    amount: 100n,
    isDeferred: false,
    relayKey: null,
    depositId: null,
    logIndex: 9,
  })
  expect(await review()).toBe('refunded')
  expect(await listOpenDepositors(pool, { after: '', limit: 9, endedMs: 0 })).toEqual([])

  await pool.transaction((transaction) => popBlocks(transaction, ORIGIN, 9n, 3))
  expect(await review()).toBe('pending')
  await happen(ORIGIN, 10n, { kind: 'deposit', txHash: executedTx, quoteTimestamp: 900 })
  await happen(DESTINATION, 18n, { amount: 99n })
  expect(await review()).toBe('completed')
  expect(await shown()).toEqual(['completed'])
  expect(
    await readFillTimeMs(pool, { originChainId: ORIGIN, destinationChainId: DESTINATION, inputToken: input }),
  ).toBeGreaterThan(0)
  await pool.transaction((transaction) => popBlocks(transaction, DESTINATION, 17n, 3))
  await reach(DESTINATION, 20n)
  expect(await review()).toBe('confirmed_source')
})
