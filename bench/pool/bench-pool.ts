import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzip } from 'node:zlib'
import { pino } from 'pino'
import type { DatabasePool } from 'slonik'
import { z } from 'zod'
import { connectDatabase, sql } from '../../db/connect-database.ts'
import { startEmbeddedPostgres } from '../../db/embedded-postgres/start-embedded-postgres.ts'
import { migrateDatabase } from '../../db/migrate.ts'
import type { PoolKey } from '../../db/pool/notes/pool-conversions.ts'
import { readPrefixRoot } from '../../db/pool/tree/pool-history.ts'
import { answerParts } from '../../gateway/http/answer-parts.ts'
import { appendLeaves } from '../../proving/merkle/append-leaves.ts'
import { EMPTY_TREE } from '../../proving/merkle/lean-imt.ts'
import { hashTreeNode } from '../../test/devnet/note-hashes.ts'
import { partsFrom } from '../../relayer/pool/tree/list-column.ts'
import { createPoolHistories, type PoolHistory } from '../../relayer/pool/tree/pool-histories.ts'
import { dropUnusedIndexes, fillPool } from './fill-pool.ts'
import { measureInterleaved } from '../measure/measure-interleaved.ts'
import type { UnratedRow } from '../measure/row.ts'
import { readOwnCpu, summarize, takeSample } from '../measure/take-sample.ts'
import type { Settings } from '../settings.ts'

const LEAVES = 100_000
const MANY_LEAVES = 1_000_000
const TAIL = 100
/** Leaves of one hashing. */
const HASHED = 100
const MEBIBYTE = 2 ** 20

const pool = { chainId: 1, address: '0x1111111111111111111111111111111111111111' }
const largePool = { chainId: 1, address: '0x2222222222222222222222222222222222222222' }
const compress = promisify(gzip)

/**
 * The state of a pool of 100,000 leaves as accounts get it, whole and in tails. The cache competes with database rows that
 * are written as JSON and compressed for each account. Also the memory of a million leaves, and hashing a list of labels.
 */
export async function benchPool(settings: Settings): Promise<UnratedRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-pool-'))
  const postgres = await startEmbeddedPostgres({ dataDir: folder, logger: pino({ level: 'silent' }) })
  try {
    await migrateDatabase(postgres.url)
    const database = await connectDatabase(postgres.url)
    try {
      await dropUnusedIndexes(database)
      return [
        ...(await measureAnswers(database, settings)),
        ...(await measureHashes(settings)),
        await measureMemory(database, settings),
      ]
    } finally {
      await database.end()
    }
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measureAnswers(database: DatabasePool, settings: Settings): Promise<UnratedRow[]> {
  settings.tell(`a pool of ${LEAVES} leaves`)
  await fillPool(database, pool, LEAVES)
  const histories = createPoolHistories(database)
  const expected = (await readRows(database, pool)).length
  const read = async (from: number) => {
    const history = await histories.read(pool)
    if (history?.size !== LEAVES) throw new Error('the pool is not complete')
    const length = await send(history, from)
    if (from === 0 && length !== expected) throw new Error(`${length} bytes instead of ${expected}`)
    if (from > 0 && history.last) await readPrefixRoot(database, pool, from, history.last)
  }
  const whole = 'pool.leaves100k'
  return measureInterleaved(
    [
      {
        name: 'pool.leaves100kFromRows',
        baseline: null,
        run: async () => compress(await readRows(database, pool), { level: 1 }),
      },
      { name: whole, baseline: 'pool.leaves100kFromRows', run: () => read(0) },
      { name: 'pool.tail100', baseline: whole, run: () => read(LEAVES - TAIL) },
      { name: 'pool.tailOfOldPiece', baseline: whole, run: () => read(LEAVES / 2) },
    ],
    settings,
  )
}

/** Sends it compressed, as clients receive it. @returns Bytes of the text. */
async function send(history: PoolHistory, from: number): Promise<number> {
  const parts = await partsFrom(history.leaves, from)
  const answer = await answerParts(
    { headers: { 'accept-encoding': 'gzip' } },
    { version: '', parts: async () => ['[', ...parts, ']'] },
  )
  for await (const piece of answer.body as AsyncIterable<Uint8Array>) if (piece.length === 0) break
  return parts.reduce((total, part) => total + part.length, 2)
}

async function readRows(database: DatabasePool, { chainId, address }: PoolKey): Promise<string> {
  const leaves = await database.anyFirst(sql.type(z.object({ commitment: z.string() }))`
    select commitment::text from pool_event
    where chain_id = ${chainId} and contract = ${address} and kind = 'leaf' order by leaf_index`)
  return JSON.stringify(leaves)
}

async function measureHashes(settings: Settings): Promise<UnratedRow[]> {
  const leaves = new Uint8Array(HASHED * 32)
  for (let place = 0; place < HASHED; place += 1) leaves.set(randomBytes(31), place * 32 + 1)
  return measureInterleaved(
    [
      {
        name: 'pool.poseidonLite',
        baseline: null,
        operations: HASHED,
        run: () => {
          for (let count = 0n; count < HASHED; count += 1n) hashTreeNode(count, 12_345n)
        },
      },
      {
        name: 'pool.label',
        baseline: 'pool.poseidonLite',
        operations: HASHED,
        run: () => appendLeaves({ ...EMPTY_TREE, leaves, watched: 0, wanted: 0n }),
      },
    ],
    settings,
  )
}

/** Measures the cached state of a million leaves and half a million spent notes. */
async function measureMemory(database: DatabasePool, settings: Settings): Promise<UnratedRow> {
  settings.tell(`a pool of ${MANY_LEAVES} leaves`)
  await fillPool(database, largePool, MANY_LEAVES)
  const histories = createPoolHistories(database)
  const before = await readMemory()
  let history: PoolHistory | null = null
  const sample = await takeSample(readOwnCpu, 1, async () => {
    history = await histories.read(largePool)
  })
  const extraMb = ((await readMemory()) - before) / MEBIBYTE
  if ((history as PoolHistory | null)?.size !== MANY_LEAVES) throw new Error('the pool is not complete')
  const note = `${extraMb.toFixed(0)} MiB are kept of them and of ${MANY_LEAVES / 2} spent notes`
  settings.tell(note)
  return { ...summarize({ name: 'pool.read1M', baseline: null, compared: 'cpu' }, [sample]), note }
}

/** Returns the bytes in use, after garbage collection as far as possible. */
async function readMemory(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let time = 0; time < 3; time += 1) {
    collect()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
