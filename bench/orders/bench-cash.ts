import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import type { DatabasePool } from 'slonik'
import { connectDatabase, sql } from '../../db/connect-database.ts'
import { startEmbeddedPostgres } from '../../db/embedded-postgres/start-embedded-postgres.ts'
import { migrateDatabase } from '../../db/migrate.ts'
import type { IndexChange } from '../../relayer/chain/indexer/indexer.ts'
import { createCashBook } from '../../relayer/transact/cash-orders/cash-book.ts'
import { OrderFollower } from '../../relayer/transact/orders/order-follower.ts'
import {
  CASH_CHAIN,
  seedCashOrders,
  trade,
  type OpenCash,
} from '../../test/relayer/transact/cash-orders/seed-cash-orders.ts'
import { DEPOSIT_BLOCK, reachBlock } from '../../test/relayer/transact/orders/seed-orders.ts'
import { readPostgresCpu } from '../measure/read-postgres-cpu.ts'
import type { UnratedRow } from '../measure/row.ts'
import { readOwnCpu, summarize, takeSample, type Sample } from '../measure/take-sample.ts'
import type { Settings } from '../settings.ts'
import { countOpenCash } from '../../db/transact/order-figures.ts'

/** The first is measured without a follower: the cost of writing the events, which is the indexer's work. */
const CASES = [
  { name: 'cash.written', open: 10_000, isFollowed: false },
  { name: 'cash.open10k', open: 10_000, isFollowed: true },
]
const SECONDS = 20
/** Deposits that buyers take in a second. They pay for as many, and take as many of other people's. */
const TRADES_PER_SECOND = 2
const CONFIRMATIONS = 2
const CHAINS = [{ chainId: CASH_CHAIN, confirmations: CONFIRMATIONS }]

/**
 * CPU of node and PostgreSQL for a second of following cash-outs: a block, in which buyers take two deposits and pay for
 * two. A core has 1,000 ms a second. Following costs the second row less the first.
 */
export async function benchCash(settings: Settings): Promise<UnratedRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-cash-'))
  const postgres = await startEmbeddedPostgres({ dataDir: folder, logger: pino({ level: 'silent' }) })
  const cluster = join(folder, 'postgres', 'cluster')
  const rows: UnratedRow[] = []
  let database: DatabasePool | null = null
  try {
    await migrateDatabase(postgres.url)
    const pool = await connectDatabase(postgres.url)
    database = pool
    let block = DEPOSIT_BLOCK + BigInt(CONFIRMATIONS)
    await reachBlock(pool, CASH_CHAIN, block)
    const waiting: OpenCash[] = []
    for (const { name, open, isFollowed } of CASES) {
      settings.tell(`${open} open cash-outs${isFollowed ? '' : ', not followed'}`)
      const wanted = open + settings.rounds * SECONDS * TRADES_PER_SECOND - waiting.length
      waiting.push(...(await seedCashOrders(pool, Math.max(0, wanted))))
      await pool.query(sql.typeAlias('void')`analyze`)
      await settle(pool, waiting)
      const seeded = [...waiting]
      const samples: Sample[] = []
      for (let round = 0; round < settings.rounds; round += 1) {
        settings.tell(`round ${round + 1} of ${settings.rounds}`)
        const readCpu = () => readOwnCpu() + readPostgresCpu(cluster)
        samples.push(
          await takeSample(readCpu, SECONDS, async () => {
            block = await follow(pool, waiting, block, isFollowed)
          }),
        )
      }
      if (!isFollowed) await settle(pool, seeded)
      await expectOpen(pool, waiting.length)
      rows.push({
        ...summarize({ name, baseline: isFollowed ? 'cash.written' : null, compared: 'cpu' }, samples),
        note: `${TRADES_PER_SECOND} taken and ${TRADES_PER_SECOND} paid for a second; with PostgreSQL`,
      })
    }
  } finally {
    await database?.end()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return rows
}

/** Reviews all cash-outs, after which none counts as changed. */
async function settle(database: DatabasePool, orders: readonly OpenCash[]): Promise<void> {
  const depositors = orders.map(({ depositor }) => depositor)
  const book = createCashBook(database, CHAINS)
  for (let at = 0; at < depositors.length; at += 500) await book.review(depositors.slice(at, at + 500))
}

/** Continues the chain for a while. @returns Its last block. */
async function follow(
  database: DatabasePool,
  waiting: OpenCash[],
  from: bigint,
  isFollowed: boolean,
): Promise<bigint> {
  let hear: (change: IndexChange) => void = () => {}
  const follower = new OrderFollower({
    database,
    book: createCashBook(database, CHAINS),
    indexer: {
      onChanged(listener) {
        hear = listener
        return () => {}
      },
    },
    chains: CHAINS,
    tell: () => {},
    logger: pino({ level: 'silent' }),
  })
  if (isFollowed) follower.start()
  let block = from
  let sold: OpenCash[] = []
  for (let second = 0; second < SECONDS; second += 1) {
    const next = sleep(1_000)
    block += 1n
    const taken = waiting.splice(0, TRADES_PER_SECOND)
    await trade(database, { taken, sold, foreign: TRADES_PER_SECOND }, block)
    await reachBlock(database, CASH_CHAIN, block)
    const addresses = [...taken, ...sold].map(({ depositor }) => depositor)
    hear({ chainId: CASH_CHAIN, blockNumber: block, blockHash: null, addresses, pools: false, reorg: false })
    sold = taken
    await next
  }
  await follower.stop()
  return block
}

/** Checks that every cash-out is in the chain's state: untaken ones are listed. */
async function expectOpen(database: DatabasePool, waiting: number): Promise<void> {
  const counts = await countOpenCash(database, 0)
  const listed = counts.find(({ phase }) => phase === 'listed')?.orders ?? 0
  if (listed !== waiting) throw new Error(`${listed} cash-outs wait for a buyer instead of ${waiting}`)
}
