import { randomBytes } from 'node:crypto'
import type { DatabasePool } from 'slonik'
import { bytesToHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../db/connect-database.ts'
import { listAccountTransactions, type ActivityCursor } from '../../../db/activity/account-activity.ts'
import { createActivity } from '../../../relayer/activity/create-activity.ts'
import { readFacts } from '../../../relayer/activity/read-facts.ts'
import { openOwner, type Owner } from '../account/provenance/seed-history.ts'
import { openOwnerWorld } from '../account/provenance/open-owner-world.ts'

const run = sql.typeAlias('void')
const MOST_SHOWN = 100
let world: Awaited<ReturnType<typeof openOwnerWorld>>
let database: DatabasePool
beforeAll(async () => {
  world = await openOwnerWorld()
  ;({ database } = world)
})
afterAll(() => world?.stop())

/** A stranger's transaction that sends an address many tokens, and native coins after them. */
async function spam(
  { parties: { x, A }, tokens }: Owner,
  block: number,
  { count, standard }: { count: number; standard: 'erc20' | 'erc1155' },
): Promise<void> {
  const txHash = bytesToHex(randomBytes(32))
  const time = sql.fragment`to_timestamp(${1_700_000_000 + block})`
  await database.query(run`
    insert into indexed_tx (chain_id, tx_hash, block_hash, block_number, block_time, tx_index, from_address, to_address,
      tx_nonce, value, succeeded, gas_used, fee)
    values (1, ${txHash}, ${txHash}, ${block}, ${time}, 0, ${x}, ${zeroAddress}, 0, 0, true, 1, 1)`)
  await database.query(run`
    insert into transfer (chain_id, block_hash, source, position, item, block_number, block_time, tx_hash, standard, token,
      token_id, from_address, to_address, amount)
    select 1, ${txHash}, 'log', 1, item, ${block}::bigint, ${time}, ${txHash}, ${standard}, ${tokens.U},
      case ${standard} when 'erc1155' then item end, ${x}, ${A}, 1
    from generate_series(1, ${count}::int4) as item
    union all
    select 1, ${txHash}, 'log', 2, 0, ${block}::bigint, ${time}, ${txHash}, 'native', ${zeroAddress}, null, ${x}, ${A}, 7`)
  await database.query(run`
    insert into address_tx (address, chain_id, tx_hash, block_number, block_time, tx_index)
    values (${A}, 1, ${txHash}, ${block}, ${time}, 0)`)
}

test('activity shows a hundred transfers of a transaction with thousands, including its payment', async () => {
  const { owner } = world
  await spam(owner, 10, { count: 900, standard: 'erc1155' })
  const { items } = await createActivity(world.openParts()).list(owner.accountId, {
    limit: 50,
    cursor: undefined,
    hideLikelySpam: false,
  })
  expect(items).toHaveLength(1)
  const [{ transfers, kind, hasMoreTransfers } = { transfers: [], kind: null }] = items
  expect(hasMoreTransfers).toBe(true)
  expect(kind).toBe('RECEIVE')
  expect(transfers).toHaveLength(MOST_SHOWN)
  expect(transfers.at(-1)).toMatchObject({ tokenAddress: zeroAddress, value: 7n })
  expect(transfers.slice(0, -1).map(({ tokenId }) => tokenId)).toEqual(
    Array.from({ length: MOST_SHOWN - 1 }, (_, place) => BigInt(place + 1)),
  )
})

test('the cache weighs a page by its transfers, not by its transactions, of which each may have a hundred', async () => {
  const victim = await openOwner(database, world.owner.tokens)
  for (let block = 1; block <= 60; block += 1)
    await spam(victim, block, { count: MOST_SHOWN, standard: 'erc20' })
  const activity = createActivity(world.openParts())
  const list = async ({ accountId }: Owner) =>
    (await activity.list(accountId, { limit: 100, cursor: undefined, hideLikelySpam: false })).items
  const [first] = await list(victim)
  const [second] = await list(victim)
  expect(second).toEqual(first)
  // It is more than the whole cache.
  expect(second).not.toBe(first)
})

test('a page of a search ends where its transfers come to megabytes, and the next goes on from there', async () => {
  const victim = await openOwner(database, world.owner.tokens)
  const transactions = 60
  for (let block = 1; block <= transactions; block += 1)
    await spam(victim, block, { count: MOST_SHOWN, standard: 'erc20' })
  const activity = createActivity(world.openParts())
  const pages: number[] = []
  const found: (string | null)[] = []
  let cursor: ActivityCursor | undefined
  do {
    const page = await activity.search(victim.accountId, {
      address: victim.parties.x,
      hideLikelySpam: false,
      hideExternal: false,
      limit: 500,
      cursor,
      summary: false,
    })
    pages.push(page.items.length)
    for (const { txHash, transfers, hasMoreTransfers } of page.items) {
      found.push(txHash)
      expect([transfers.length, hasMoreTransfers]).toEqual([MOST_SHOWN, true])
    }
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  expect(found).toHaveLength(transactions)
  expect(new Set(found).size).toBe(transactions)
  expect(Math.max(...pages)).toBeLessThanOrEqual(25)
})

test('an address that gets thousands of transfers by each of many transactions is read piece by piece', async () => {
  const victim = await openOwner(database, world.owner.tokens)
  for (let block = 1; block <= 30; block += 1) await spam(victim, block, { count: 150, standard: 'erc20' })
  const rows = await listAccountTransactions(database, victim.accountId, { after: null, limit: 100 })
  const { rows: read, transfers, isCut } = await readFacts(database, victim.accountId, rows)
  expect(isCut).toBe(true)
  expect(read).toEqual(rows.slice(0, 10))
  expect(transfers).toHaveLength(10 * MOST_SHOWN)
})
