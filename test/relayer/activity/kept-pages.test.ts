import { randomBytes, randomUUID } from 'node:crypto'
import type { DatabasePool } from 'slonik'
import { bytesToHex, getAddress, zeroAddress, zeroHash } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeTag } from '../../../db/account/notes/address-tags.ts'
import { popBlocks } from '../../../db/chain/indexer/pop-blocks.ts'
import { sql } from '../../../db/connect-database.ts'
import { recordPrices } from '../../../db/market/prices/token-prices.ts'
import { replaceBook } from '../../../db/pool/book/pool-books.ts'
import { insertCashOrder } from '../../../db/transact/cash-orders.ts'
import { createActivity } from '../../../relayer/activity/create-activity.ts'
import { bookOwner } from '../../../relayer/identity/vault.ts'
import { encodeBook } from '../../../relayer/pool/book/book-content.ts'
import type { Owner } from '../account/provenance/seed-history.ts'
import { seedQuote } from '../account/seed-quote.ts'
import { openOwnerWorld } from '../account/provenance/open-owner-world.ts'

const run = sql.typeAlias('void')
const randomHash = () => bytesToHex(randomBytes(32))
const randomAddress = () => getAddress(bytesToHex(randomBytes(20)))
const LABEL = 4_242
const POOL = randomAddress()
let world: Awaited<ReturnType<typeof openOwnerWorld>>
let database: DatabasePool
let owner: Owner
let quoteId: string
let polled: ReturnType<typeof openInstance>
beforeAll(async () => {
  world = await openOwnerWorld()
  ;({ database, owner } = world)
  quoteId = await seedQuote(database, owner.accountId)
  const { A: recipient, B: feeReceiver } = owner.parties
  await query(run`
    update quote set token = ${owner.tokens.T}, recipient = ${recipient}, fee_receiver = ${feeReceiver} where id = ${quoteId}`)
  polled = openInstance()
})
afterAll(() => world?.stop())

const query = (statement: Parameters<DatabasePool['query']>[0]) => database.query(statement)

/** An instance of the service with an empty cache. */
const openInstance = () => createActivity(world.openParts())
const list = (by = polled) =>
  by.list(owner.accountId, { limit: 50, cursor: undefined, hideLikelySpam: false })

/** Writes that a transaction of a block touched an address, and that the address sent it. */
async function touch(txHash: string, blockNumber: number): Promise<void> {
  await query(run`
    insert into indexed_tx (chain_id, tx_hash, block_hash, block_number, block_time, tx_index, from_address, to_address,
      tx_nonce, value, succeeded, gas_used, fee)
    values (1, ${txHash}, '0x', ${blockNumber}, to_timestamp(${1_700_000_000 + blockNumber}), 0, ${owner.parties.A},
      ${zeroAddress}, 0, 0, true, 1, 1)`)
  await query(run`
    insert into address_tx (address, chain_id, tx_hash, block_number, block_time, tx_index)
    values (${owner.parties.A}, 1, ${txHash}, ${blockNumber}, to_timestamp(${1_700_000_000 + blockNumber}), 0)`)
}
const [intentTx, depositTx] = [randomHash(), randomHash()]

const CHANGES: Readonly<Record<string, () => Promise<unknown>>> = {
  'a receipt': async () => {
    const [paid] = await world.receive(5, 10)
    await touch(paid?.txHash ?? '', 10)
  },
  'a transaction that moves nothing': () => touch(randomHash(), 20),
  'a price': () =>
    recordPrices(database, 'test', [
      { chainId: 1, address: owner.tokens.T, usd: 7n * 10n ** 30n, observedAt: new Date() },
    ]),
  'another price': () =>
    recordPrices(database, 'test', [
      { chainId: 1, address: owner.tokens.T, usd: 8n * 10n ** 30n, observedAt: new Date() },
    ]),
  'what its contract says of a token': () =>
    query(run`
      update token_source set symbol = 'NEW', last_seen_at = now() + interval '1 s' where address = ${owner.tokens.T}`),
  'a tag of its source': () => writeTag(database, owner.accountId, owner.parties.A, 'sealed'),
  'a transaction that ran an intent': async () => {
    await touch(intentTx, 30)
    await query(run`
      insert into intent_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, orchestrator, eoa,
        intent_nonce, incremented, err)
      values (1, '0x', 30, 30, now(), ${intentTx}, ${zeroAddress}, ${owner.parties.A}, 1, true, '0x00000000')`)
  },
  'the quote of that intent': () =>
    query(run`
      insert into intent (id, quote_id, account_id, place, chain_id, eoa, intent_nonce, combined_gas, transaction_gas, status,
        expires_at, from_block, ended_at)
      values (${randomUUID()}, ${quoteId}, ${owner.accountId}, 0, 1, ${owner.parties.A}, 1, 1, 1, 'succeeded', now(), 1,
        now())`),
  'how the quote ended': () =>
    query(run`
      update quote set status = 'failed', failure = 'It failed', failure_code = 'FAILED' where id = ${quoteId}`),
  'an order over a bridge': () =>
    query(run`
      insert into bridge_order (quote_id, account_id, provider, origin_chain_id, destination_chain_id, depositor,
        deposit_recipient, exclusive_relayer, input_token, bridged_token, input_amount, bridged_amount, quote_timestamp,
        fill_deadline, exclusivity_deadline, message, source_token, source_amount, output_recipient, output_token,
        expected_output, minimum_output)
      values (${quoteId}, ${owner.accountId}, 'across', 1, 10, ${owner.parties.A}, ${owner.parties.B}, ${zeroAddress},
        ${owner.tokens.T}, ${owner.tokens.T}, 5, 4, 1, 2000000000, 0, '0x', ${owner.tokens.T}, 5, ${owner.parties.B},
        ${owner.tokens.T}, 4, 4)`),
  'how the order stands': () =>
    query(run`update bridge_order set status = 'confirmed_source' where quote_id = ${quoteId}`),
  'a cash-out': () =>
    database.transaction((transaction) =>
      insertCashOrder(transaction, {
        quoteId,
        accountId: owner.accountId,
        originChainId: 1,
        sourceToken: owner.tokens.T,
        sourceAmount: 5n,
        fromIncognito: false,
        chainId: 1,
        escrow: randomAddress(),
        orchestrator: randomAddress(),
        depositor: owner.parties.A,
        token: owner.tokens.T,
        amount: 5n,
        paymentMethod: 'venmo',
        currency: 'USD',
        payeeDetails: zeroHash,
        minRate: 1n,
        rate: 1n,
        depositKey: zeroHash,
      }),
    ),
  'how the cash-out stands': () =>
    query(run`
      update cash_order set deposit_id = 1, deposit_tx = '0x', deposited = 5, phase = 'listed' where quote_id = ${quoteId}`),
  'a deposit into a pool that is not registered': async () => {
    await touch(depositTx, 40)
    await query(run`
      insert into pool_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, kind, contract, account,
        label, value)
      values (1, '0x', 40, 40, now(), ${depositTx}, 'deposit', ${POOL}, ${owner.parties.A}, ${LABEL}, 3)`)
  },
  'the registration of the pool': () =>
    query(run`
      insert into pool_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, kind, contract, pool, asset)
      values (1, '0x', 41, 5, now(), '0x', 'pool-registered', ${zeroAddress}, ${POOL}, ${owner.tokens.T})`),
  'what the ASP says of the deposit': () =>
    query(
      run`insert into asp_review (chain_id, pool, label, status) values (1, ${POOL}, ${LABEL}, 'declined')`,
    ),
  'a spend that it told and that nobody relayed': async () => {
    const part = { label: 7n, withdrawalIndex: 0, value: 9n, withdraws: 8n }
    const spend = {
      id: randomUUID(),
      kind: 'incognito_send' as const,
      receives: 5n,
      fee: 2n,
      until: 1_700_000_050_000,
      isUnlocked: false,
      parts: [{ ...part, spentBy: { nullifierHash: 5n, newCommitment: 6n } }],
    }
    const sealed = await world.vault.seal(
      bookOwner(`${owner.accountId}:1:${POOL}`),
      encodeBook({ spends: [spend], settled: [] }),
    )
    const key = { accountId: owner.accountId, chainId: 1, pool: POOL }
    expect(await replaceBook(database, key, null, sealed)).toBe(true)
  },
  'that the note of the spend was spent': () =>
    query(run`
      insert into pool_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, kind, contract, value,
        nullifier_hash, commitment)
      values (1, '0x', 50, 50, to_timestamp(1700000045), ${randomHash()}, 'withdrawal', ${POOL}, 8, 5, 6)`),
  'a reorg of the newest transactions': () => popBlocks(database, 1, 35n, 1),
  'a reorg of all but the first': () => popBlocks(database, 1, 15n, 1),
}

test.for(Object.keys(CHANGES))('a page that was kept shows %s', async (name) => {
  const before = await list()
  await CHANGES[name]?.()
  const after = await list()
  expect(after).not.toEqual(before)
  // Computed without the cache.
  expect(after).toEqual(await list(openInstance()))
})

test('an unchanged item is the same object on the next page', async () => {
  const paid = (await list()).items.at(-1)
  expect((await list()).items.at(-1)).toBe(paid)
  expect(paid).toMatchObject({ kind: 'RECEIVE' })
})

test('a page that ends elsewhere is another', async () => {
  await touch(randomHash(), 60)
  const by = { cursor: undefined, hideLikelySpam: false }
  for (let poll = 0; poll < 2; poll += 1) {
    const short = await polled.list(owner.accountId, { ...by, limit: 1 })
    const rest = await polled.list(owner.accountId, {
      ...by,
      limit: 50,
      cursor: short.nextCursor ?? undefined,
    })
    expect([...short.items, ...rest.items]).toEqual((await list()).items)
    expect(rest.nextCursor).toBeNull()
  }
})
