import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { advanceCursor, type CursorMove } from '../../db/chain/indexer/advance-cursor.ts'
import { readKeptBlocks } from '../../db/chain/indexer/indexed-blocks.ts'
import { ChainLostError, leaseChain, releaseChains } from '../../db/chain/indexer/indexed-chains.ts'
import { sql } from '../../db/connect-database.ts'
import { openTestDatabase, type TestDatabase } from '../harness/open-test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.drop())

const chainId = 7
const hashOf = (number: bigint) => `0x${number.toString(16).padStart(64, '0')}`
const blocksFrom = (first: bigint, count: number): CursorMove['blocks'] =>
  Array.from({ length: count }, (_, index) => {
    const number = first + BigInt(index)
    return { number, hash: hashOf(number), parentHash: hashOf(number - 1n), timestamp: Number(number) }
  })

test('a cursor moves for the owner of the lease, from where it is, and nothing is written otherwise', async () => {
  const { pool } = database
  const owner = randomUUID()
  const take = (who: string) => leaseChain(pool, { chainId, startBlock: 1n, owner: who, leaseMs: 60_000 })
  const lease = await take(owner)
  const ours = { chainId, owner, term: lease!.term }
  const move = { blocks: blocksFrom(1n, 3), untracedTo: null, keepFrom: 2n }
  const elsewhere = { number: 0n, hash: hashOf(0n) }
  await expect(advanceCursor(pool, ours, { ...move, from: elsewhere })).rejects.toThrow(ChainLostError)
  await pool.query(sql.typeAlias('void')`
    insert into holding (chain_id, address, standard, token, amount, stale, as_of_number, as_of_hash)
    values (${chainId}, ${'0x' + '1'.repeat(40)}, 'native', ${'0x' + '0'.repeat(40)}, 0, false, 1, ${hashOf(1n)})`)

  const start = { number: 0n, hash: null }
  await advanceCursor(pool, ours, { ...move, from: start })
  const kept = async () => (await readKeptBlocks(pool, chainId, 0n)).map(({ number }) => number)
  expect(await kept()).toEqual([1n, 2n, 3n])
  await expect(advanceCursor(pool, ours, { ...move, from: start })).rejects.toThrow(ChainLostError)

  const third = { number: 3n, hash: hashOf(3n) }
  const next = { from: third, blocks: blocksFrom(4n, 2), untracedTo: 4n, keepFrom: 3n }
  await advanceCursor(pool, ours, next)
  expect(await kept()).toEqual([3n, 4n, 5n])
  expect(await pool.exists(sql.typeAlias('void')`select from holding where chain_id = ${chainId}`)).toBe(
    false,
  )

  await releaseChains(pool, owner)
  const theirs = await take(randomUUID())
  expect(theirs).toMatchObject({ blockNumber: 5n, blockHash: hashOf(5n) })
  const late = {
    from: { number: 5n, hash: hashOf(5n) },
    blocks: blocksFrom(6n, 1),
    untracedTo: null,
    keepFrom: 3n,
  }
  await expect(advanceCursor(pool, ours, late)).rejects.toThrow(ChainLostError)
  await take(owner)
  expect(await kept()).toEqual([3n, 4n, 5n])
})
