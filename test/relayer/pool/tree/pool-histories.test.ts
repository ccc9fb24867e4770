import { afterAll, beforeAll, expect, test } from 'vitest'
import { privateKeyToAddress, generatePrivateKey } from 'viem/accounts'
import { PAGE_LEAVES, readPrefixRoot } from '../../../../db/pool/tree/pool-history.ts'
import { sql } from '../../../../db/connect-database.ts'
import { partsFrom, type ListPiece } from '../../../../relayer/pool/tree/list-column.ts'
import { unpackText } from '../../../../relayer/packed-text.ts'
import { createPoolHistories } from '../../../../relayer/pool/tree/pool-histories.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

const pool = { chainId: 1, address: privateKeyToAddress(generatePrivateKey()) }
const run = sql.typeAlias('void')

/**
 * Blocks with a leaf each, whose commitment and root follow from index and fork. Every third leaf is a change note: its
 * note is spent after it. Every fifth block has a ragequit.
 */
async function insertBlocks(from: number, to: number, fork: number): Promise<void> {
  await database.pool.query(run`
    insert into pool_event (chain_id, block_hash, log_index, block_number, block_time, tx_hash, kind, contract, commitment,
      root, leaf_index, nullifier_hash, value, label)
    select ${pool.chainId}, 'block ' || block || ' ' || fork, log, block, now(), 'tx ' || block, kind, ${pool.address},
      block * 10 + fork, case kind when 'leaf' then 7000000 + block * 10 + fork end, case kind when 'leaf' then block end,
      case kind when 'withdrawal' then 9000000 + block * 10 + fork end, 5, case kind when 'ragequit' then block end
    from generate_series(${from}::int, ${to}::int) as block, (select ${fork}::int as fork) as forked,
      (values ('leaf', 0), ('withdrawal', 1), ('ragequit', 2)) as event (kind, log)
    where kind = 'leaf' or kind = 'withdrawal' and block % 3 = 0 or kind = 'ragequit' and block % 5 = 0`)
}
const removeBlocks = (above: number) =>
  database.pool.query(
    run`delete from pool_event where chain_id = ${pool.chainId} and block_number > ${above}`,
  )

async function readFrom(pieces: readonly ListPiece[], from: number): Promise<unknown[]> {
  const parts = await partsFrom(pieces, from)
  const texts = parts.map(async (part) => (typeof part === 'string' ? part : String(await unpackText(part))))
  return JSON.parse(`[${(await Promise.all(texts)).join('')}]`) as unknown[]
}

/** The expected content of the blocks up to `to`; those above `forkedAt` are of fork 1. */
function expected(to: number, forkedAt = to) {
  const blocks = Array.from({ length: to }, (_, place) => place + 1)
  const nameOf = (block: number) => block * 10 + (block > forkedAt ? 1 : 0)
  return {
    leaves: blocks.map((block) => String(nameOf(block))),
    spent: blocks
      .filter((block) => block % 3 === 0)
      .map((block) => ({
        nullifierHash: String(9_000_000 + nameOf(block)),
        withdrawnValue: '5',
        newCommitment: String(nameOf(block)),
      })),
    ragequits: blocks
      .filter((block) => block % 5 === 0)
      .map((block) => ({ commitment: String(nameOf(block)), label: String(block), value: '5' })),
  }
}

const histories = () => createPoolHistories(database.pool)
async function expectHistory(of: ReturnType<typeof histories>, want: ReturnType<typeof expected>) {
  const history = (await of.read(pool))!
  expect(history).toMatchObject({
    size: want.leaves.length,
    spentCount: want.spent.length,
    ragequitCount: want.ragequits.length,
  })
  for (const name of ['leaves', 'spent', 'ragequits'] as const) {
    expect(await readFrom(history[name], 0)).toEqual(want[name])
    // Within the first piece, at its end, and within the last.
    for (const from of [1, 1_000, PAGE_LEAVES, want[name].length - 2, want[name].length].filter(
      (one) => one >= 0 && one <= want[name].length,
    ))
      expect(await readFrom(history[name], from), `${name} from ${from}`).toEqual(want[name].slice(from))
  }
  return history
}

test('a history has every leaf, spent note and ragequit in order, as it grows over several pieces', async () => {
  const kept = histories()
  expect(await kept.read(pool)).toMatchObject({ size: 0, spentCount: 0, last: null })
  for (const [from, to] of [
    [1, 10],
    [11, PAGE_LEAVES],
    [PAGE_LEAVES + 1, 2 * PAGE_LEAVES + 30],
  ] as const) {
    await insertBlocks(from, to, 0)
    await expectHistory(kept, expected(to))
  }
})

test('a history that was read meanwhile is given again, and later ones share its whole pieces', async () => {
  const kept = histories()
  const [one, two] = await Promise.all([kept.read(pool), kept.read(pool)])
  expect(one).toBe(two)
  const to = 2 * PAGE_LEAVES + 31
  await insertBlocks(to, to, 0)
  const later = await expectHistory(kept, expected(to))
  expect(later.leaves.slice(0, 2)).toEqual(one?.leaves.slice(0, 2))
  for (const place of [0, 1]) expect(later.leaves[place]).toBe(one?.leaves[place])
})

test('after reorgs of any depth a history equals a fresh one', async () => {
  const kept = histories()
  let to = 2 * PAGE_LEAVES + 31
  await expectHistory(kept, expected(to))
  for (const back of [1, 30, PAGE_LEAVES]) {
    const forkedAt = to - back
    await removeBlocks(forkedAt)
    await insertBlocks(forkedAt + 1, to - 1, 1)
    to -= 1
    await expectHistory(kept, expected(to, forkedAt))
    await expectHistory(histories(), expected(to, forkedAt))
    // Back to the first fork, so that the next reorg is another one.
    await removeBlocks(forkedAt)
    await insertBlocks(forkedAt + 1, to, 0)
  }
})

test('a history with a gap is none', async () => {
  const kept = histories()
  await kept.read(pool)
  for (const missing of [1, PAGE_LEAVES + 3]) {
    const move = (by: number) =>
      database.pool.query(run`
        update pool_event set leaf_index = leaf_index + ${by}, log_index = log_index + 5
        where kind = 'leaf' and block_number = ${missing}`)
    await move(100_000)
    expect(await histories().read(pool)).toBeNull()
    await move(-100_000)
  }
})

test('the root after some leaves is that of the last of them, and unknown once the pool changed', async () => {
  const { last } = (await histories().read(pool))!
  expect(await readPrefixRoot(database.pool, pool, 12, last!)).toBe(7_000_120n)
  await removeBlocks(last!.leafIndex - 1)
  expect(await readPrefixRoot(database.pool, pool, 12, last!)).toBeNull()
})
