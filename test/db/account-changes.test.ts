import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { bytesToHex, getAddress, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { readAccountVersion } from '../../db/account/changes/account-version.ts'
import { writeTag } from '../../db/account/notes/address-tags.ts'
import { popBlocks } from '../../db/chain/indexer/pop-blocks.ts'
import { sql } from '../../db/connect-database.ts'
import { foldAccountChanges } from '../../db/upkeep-tasks.ts'
import { openTestDatabase, type TestDatabase } from '../harness/open-test-database.ts'
import {
  fundOwner,
  openOwner,
  seedTokens,
  writeHistory,
  type Owner,
  type Step,
} from '../relayer/account/provenance/seed-history.ts'

const run = sql.typeAlias('void')
/** By a connection of its own. */
const TAG = `insert into address_tag (account_id, address, ciphertext) values ($1, $2, $3)
  on conflict (account_id, address) do update set ciphertext = excluded.ciphertext`
let database: TestDatabase
/** Has a transaction while the others read. */
let writer: pg.Client
let owner: Owner
let stranger: Owner
beforeAll(async () => {
  database = await openTestDatabase()
  writer = new pg.Client({ connectionString: database.url })
  await writer.connect()
  const tokens = await seedTokens(database.pool)
  owner = await openOwner(database.pool, tokens)
  stranger = await openOwner(database.pool, tokens)
})
afterAll(async () => {
  await writer?.end()
  await database?.drop()
})

const query = (statement: Parameters<TestDatabase['pool']['query']>[0]) => database.pool.query(statement)
const changesOf = async ({ accountId }: Owner) => (await readAccountVersion(database.pool, accountId)).changes
const pay: Step = {
  chainId: 1,
  movements: [{ from: 'x', to: 'A', amount: 1, token: 'T' }],
  relays: null,
  delivers: null,
}
const randomAddress = () => getAddress(bytesToHex(randomBytes(20)))
const address = () => owner.parties.A
let paidBy: string | null

/** In this order. */
const CHANGES: Readonly<Record<string, () => Promise<unknown>>> = {
  'a transfer to an address': async () => {
    const [written] = await writeHistory(database.pool, owner, [pay], 10)
    paidBy = written?.txHash ?? null
  },
  'the transaction of a transfer': () =>
    query(run`
      insert into indexed_tx (chain_id, tx_hash, block_hash, block_number, block_time, tx_index, from_address, to_address,
        tx_nonce, value, succeeded, gas_used, fee)
      values (1, ${paidBy}, '0x', 10, now(), 0, ${zeroAddress}, ${address()}, 0, 0, true, 1, 1)`),
  'an intent that the transaction executed': () =>
    query(run`
      insert into intent_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, orchestrator, eoa,
        intent_nonce, incremented, err)
      values (1, '0x', 1, 10, now(), ${paidBy}, ${zeroAddress}, ${address()}, 1, true, '')`),
  'a withdrawal that the transaction relayed': () =>
    query(run`
      insert into pool_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, kind, contract)
      values (1, '0x', 2, 10, now(), ${paidBy}, 'relay', ${zeroAddress})`),
  'a deposit that the transaction took back': async () => {
    await query(run`
      insert into pool_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, kind, contract, label)
      values (1, '0x', 3, 10, now(), ${paidBy}, 'ragequit', ${zeroAddress}, 77)`)
  },
  'where that deposit was made': () =>
    query(run`
      insert into pool_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, kind, contract, label)
      values (1, '0x', 4, 9, now(), '0xelsewhere', 'deposit', ${zeroAddress}, 77)`),
  'a deposit by an address': () =>
    query(run`
      insert into pool_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, kind, contract, account)
      values (1, '0x', 5, 10, now(), '0xdeposit', 'deposit', ${zeroAddress}, ${address()})`),
  'an intent of an address in a transaction that moves nothing': () =>
    query(run`
      insert into intent_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, orchestrator, eoa,
        intent_nonce, incremented, err)
      values (1, '0x', 6, 10, now(), '0xintent', ${zeroAddress}, ${address()}, 2, true, '')`),
  'a transaction that touches an address': () =>
    query(run`
      insert into address_tx (address, chain_id, tx_hash, block_number, block_time, tx_index)
      values (${address()}, 1, '0xtouch', 10, now(), 0)`),
  'that the transaction is gone': () => query(run`delete from address_tx where tx_hash = '0xtouch'`),
  'a reorg that takes the transfer': () => popBlocks(database.pool, 1, 9n, 1),
  'a holding': () => fundOwner(database.pool, owner, 5n),
  'the amount of a holding': () => fundOwner(database.pool, owner, 6n),
  'a holding that could not be read': () =>
    query(run`update holding set stale = true where address = ${address()}`),
  'a holding that is gone': () => query(run`delete from holding where address = ${address()}`),
  'a tag': () => writeTag(database.pool, owner.accountId, address(), 'sealed'),
  'an app that an address was shown': () =>
    query(run`
      insert into dapp_use (account_id, address, origin) values (${owner.accountId}, ${address()}, 'https://app.example')`),
  'when the app was shown it': () =>
    query(run`update dapp_use set last_used_at = now() + interval '1 s' where address = ${address()}`),
  'a token that the account adds': () =>
    query(run`
      insert into account_token (account_id, chain_id, address) values (${owner.accountId}, 1, ${randomAddress()})`),
  'a history that has to be read': () =>
    query(run`update watched_address set history_next = 1 where address = ${address()} and chain_id = 1`),
  'that the newest blocks are read of it': async () => {
    await query(run`update watched_address set near_from = 2 where address = ${address()} and chain_id = 1`)
    await query(
      run`update watched_address set near_from = null where address = ${address()} and chain_id = 1`,
    )
  },
  'a new address': () =>
    query(run`
      insert into stealth_address (address, account_id, derivation_nonce, generation_context)
      values (${randomAddress()}, ${owner.accountId}, 99, 'external')`),
  'an order that left': async () => {
    await writeHistory(
      database.pool,
      owner,
      [
        { ...pay, movements: [{ from: 'A', to: 'x', amount: 1, token: 'T' }] },
        { ...pay, chainId: 10, delivers: { from: 0, to: 'B' } },
      ],
      20,
    )
  },
  'how an order stands': () =>
    query(run`update bridge_order set status = 'confirmed_source' where account_id = ${owner.accountId}`),
  'an order that came back': () =>
    query(run`update bridge_order set refund_tx = '0xback' where account_id = ${owner.accountId}`),
}

test.for(Object.keys(CHANGES))('%s changes the version of the account alone', async (name) => {
  const before = [await changesOf(owner), await changesOf(stranger)]
  await CHANGES[name]?.()
  expect(await changesOf(owner)).toBeGreaterThan(before[0]!)
  expect(await changesOf(stranger)).toBe(before[1])
})

test('a change that says nothing about an account leaves its version', async () => {
  const before = await changesOf(owner)
  await query(run`update holding set as_of_number = 12 where owner_account_id = ${owner.accountId}`)
  await query(run`
    insert into locked_funds (chain_id, address, token, amount, ceiling)
    values (1, ${owner.parties.B}, ${owner.tokens.T}, 1, 6)`)
  await query(run`
    update bridge_order set updated_at = now(), origin_due = 1, destination_due = 1 where account_id = ${owner.accountId}`)
  await query(run`
    update watched_address set history_next = 2 where address = ${address()} and chain_id = 1`)
  await writeHistory(database.pool, stranger, [pay], 10)
  expect(await changesOf(owner)).toBe(before)
})

test('several changes of one transaction count once, and none before it is committed', async () => {
  const before = await changesOf(owner)
  await writer.query('begin')
  for (const tag of ['one', 'two']) await writer.query(TAG, [owner.accountId, owner.parties.B, tag])
  expect(await changesOf(owner)).toBe(before)
  await writer.query('commit')
  expect(await changesOf(owner)).toBe(before + 1)
})

test('folding leaves every version, also while changes are made, and clears the rows of deleted accounts', async () => {
  const gone = '00000000-0000-4000-8000-000000000000'
  await query(run`insert into account_change (account_id) values (${gone})`)
  const before = [await changesOf(owner), await changesOf(stranger)]
  await writer.query('begin')
  await writer.query(TAG, [owner.accountId, owner.parties.C, 'sealed'])
  while ((await foldAccountChanges(database.pool, 3)) === 3);
  await writer.query('commit')
  expect([await changesOf(owner), await changesOf(stranger)]).toEqual([before[0]! + 1, before[1]])
  await foldAccountChanges(database.pool, 100)
  expect([await changesOf(owner), await changesOf(stranger)]).toEqual([before[0]! + 1, before[1]])
  const left = await database.pool.anyFirst(sql.type(z.object({ count: z.bigint() }))`
    select count(*) as count from account_change
    union all select count(*) from account_change_total where account_id = ${gone}`)
  expect(left).toEqual([0n, 0n])
})

test('chains report their untraced blocks, and that they are read from the start again', async () => {
  const chains = async () => (await readAccountVersion(database.pool, owner.accountId)).chains
  await query(run`update indexed_chain set untraced_to = 7 where chain_id = 1`)
  await query(run`update indexed_chain set state = 'resyncing' where chain_id = 10`)
  expect(await chains()).toEqual([
    [1, false, 7],
    [10, true, null],
  ])
})
