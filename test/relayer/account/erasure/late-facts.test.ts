import { randomBytes } from 'node:crypto'
import { bytesToHex, zeroAddress, type Address, type Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { markStale, writeReadings } from '../../../../db/chain/indexer/holdings.ts'
import { watchAddresses } from '../../../../db/chain/indexer/watched-addresses.ts'
import type { Facts } from '../../../../db/chain/indexer/rows.ts'
import { insertFacts } from '../../../../db/chain/indexer/write-facts.ts'
import { deleteAccount } from '../../../../relayer/account/erasure/account-data.ts'
import { createVault } from '../../../../relayer/identity/create-vault.ts'
import { createKeyWrapper } from '../../../../relayer/identity/key-wrapper.ts'
import { holdTransaction, untilSomebodyWaits } from '../../../harness/hold-transaction.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { seedWholeAccount, type SeededAccount } from './seed-whole-account.ts'

const chainId = 1
const vault = createVault([createKeyWrapper(randomBytes(32))])
let database: TestDatabase
let leaver: SeededAccount
let neighbour: SeededAccount
beforeAll(async () => {
  database = await openTestDatabase()
  await database.pool.query(sql.typeAlias('void')`
    insert into indexed_chain (chain_id, start_block, block_number) values (${chainId}, 1, 0)`)
})
afterAll(() => database.drop())
beforeEach(async () => {
  neighbour = await seedWholeAccount(database.pool, vault)
  leaver = await seedWholeAccount(database.pool, vault)
})

const hash = () => bytesToHex(randomBytes(32))
const somebody = () => bytesToHex(randomBytes(20))

/** The facts of a block with a payment to an address and one of its intents. */
function factsAbout(address: Hex): Facts {
  const [blockHash, txHash] = [hash(), hash()]
  const inBlock = { chainId, blockHash, blockNumber: 99n, blockTime: new Date() }
  const from = somebody()
  return {
    transfers: [
      {
        ...inBlock,
        source: 'log',
        position: 0,
        item: 0,
        txHash,
        standard: 'native',
        token: zeroAddress,
        tokenId: null,
        from,
        to: address,
        amount: 7n,
      },
    ],
    txs: [
      {
        ...inBlock,
        txHash,
        txIndex: 0,
        from,
        to: address,
        txNonce: 0,
        value: 7n,
        succeeded: true,
        gasUsed: 1n,
        fee: 1n,
        selector: null,
        input: null,
      },
    ],
    addressTxs: [{ address, chainId, txHash, blockNumber: 99n, blockTime: inBlock.blockTime, txIndex: 0 }],
    poolEvents: [],
    hasRelayed: false,
    cashEvents: [],
    bridgeEvents: [
      {
        ...inBlock,
        logIndex: 4,
        item: 0,
        txHash,
        kind: 'refund',
        address,
        token: zeroAddress,
        amount: 5n,
        isDeferred: false,
        relayKey: null,
        depositId: null,
        quoteTimestamp: null,
        fallbackRecipient: null,
      },
    ],
    intents: [
      {
        ...inBlock,
        logIndex: 1,
        txHash,
        orchestrator: somebody(),
        eoa: address,
        intentNonce: 1n,
        incremented: true,
        err: '0x00000000',
        firstLog: 0,
        firstMove: 1,
        lastMove: 0,
      },
    ],
  }
}

const keyOf = (address: Hex, token: Address) => ({ address, standard: 'erc20', token, tokenId: 0n }) as const

/** The number of rows of a table that contain an address. */
const countRows = (table: string, address: string) =>
  database.pool.oneFirst(sql.type(z.object({ count: z.int() }))`
    select count(*)::int4 as count from ${sql.identifier([table])} as searched
    where searched::text ilike ${`%${address.slice(2)}%`}`)

const TABLES = [
  'transfer',
  'indexed_tx',
  'address_tx',
  'intent_event',
  'bridge_event',
  'holding',
  'watched_address',
]
const tracesOf = async (address: string) =>
  (await Promise.all(TABLES.map((table) => countRows(table, address)))).reduce((sum, count) => sum + count)

const lockedChain = sql.typeAlias('void')`
  select from indexed_chain where chain_id = ${chainId} for no key update`

it('facts read before an account was deleted are not written afterwards', async () => {
  const [gone, there] = [leaver.addresses[2] as Hex, neighbour.addresses[2] as Hex]
  const kept = await tracesOf(there)
  await deleteAccount(database.pool, leaver.accountId)
  await database.pool.transaction(async (transaction) => {
    await transaction.query(lockedChain)
    for (const address of [gone, there]) {
      await insertFacts(transaction, factsAbout(address))
      await markStale(transaction, chainId, [keyOf(address, somebody())])
      const reading = { ...keyOf(address, somebody()), amount: 5n }
      await writeReadings(transaction, chainId, [reading], { number: 99n, hash: hash() })
      await watchAddresses(transaction, chainId, [address], { liveFrom: 99n, startBlock: 1n })
    }
  })
  expect(await tracesOf(gone)).toBe(0)
  expect(await tracesOf(there)).toBe(kept + 9)
})

it('facts written while an account is deleted are erased with it', async () => {
  const [address] = [leaver.addresses[2] as Hex]
  const writing = await holdTransaction(database.pool, async (transaction) => {
    await transaction.query(lockedChain)
    // A holding that is still to be read; nothing refers to the account yet.
    await markStale(transaction, chainId, [keyOf(address, somebody())])
  })
  const deleting = deleteAccount(database.pool, leaver.accountId)
  await untilSomebodyWaits(database.pool)
  await writing.commit()
  expect(await deleting).toBe(true)
  expect(await tracesOf(address)).toBe(0)
})
