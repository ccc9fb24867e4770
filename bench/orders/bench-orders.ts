import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import type { DatabasePool } from 'slonik'
import { connectDatabase, sql } from '../../db/connect-database.ts'
import { startEmbeddedPostgres } from '../../db/embedded-postgres/start-embedded-postgres.ts'
import { migrateDatabase } from '../../db/migrate.ts'
import { countOpenOrders } from '../../db/transact/order-figures.ts'
import type { IndexChange } from '../../relayer/chain/indexer/indexer.ts'
import { OrderFollower, createBridgeBook } from '../../relayer/transact/orders/order-follower.ts'
import {
  DEPOSIT_BLOCK,
  DESTINATION,
  fillOrders,
  ORIGIN,
  reachBlock,
  seedOrders,
  type OpenOrder,
} from '../../test/relayer/transact/orders/seed-orders.ts'
import { reviewOrders } from '../../relayer/transact/orders/review-orders.ts'
import { readPostgresCpu } from '../measure/read-postgres-cpu.ts'
import type { UnratedRow } from '../measure/row.ts'
import { readOwnCpu, summarize, takeSample, type Sample } from '../measure/take-sample.ts'
import type { Settings } from '../settings.ts'

/** The smallest is measured without a follower first: the cost of writing the events, which is the indexer's work. */
const CASES = [
  { name: 'orders.written', open: 100, isFollowed: false },
  { name: 'orders.open100', open: 100, isFollowed: true },
  { name: 'orders.open10k', open: 10_000, isFollowed: true },
]
/** One block a second on each of two chains. */
const SECONDS = 20
const FILLS_PER_SECOND = 2
const CONFIRMATIONS = 2
const CHAINS = [ORIGIN, DESTINATION].map((chainId) => ({ chainId, confirmations: CONFIRMATIONS }))

/**
 * CPU of node and PostgreSQL for a second of following orders: a block on each of two chains, and two fills. A core has
 * 1,000 ms a second. Following costs a row less the first.
 */
export async function benchOrders(settings: Settings): Promise<UnratedRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-orders-'))
  const logger = pino({ level: 'silent' })
  const postgres = await startEmbeddedPostgres({ dataDir: folder, logger })
  const cluster = join(folder, 'postgres', 'cluster')
  const rows: UnratedRow[] = []
  let database: DatabasePool | null = null
  try {
    await migrateDatabase(postgres.url)
    database = await connectDatabase(postgres.url)
    let block = DEPOSIT_BLOCK + BigInt(CONFIRMATIONS)
    for (const chainId of [ORIGIN, DESTINATION]) await reachBlock(database, chainId, block)
    /** Orders without a fill. */
    let left = 0
    for (const { name, open, isFollowed } of CASES) {
      settings.tell(`${open} open orders${isFollowed ? '' : ', not followed'}`)
      const wanted = Math.max(0, open - left) + settings.rounds * SECONDS * FILLS_PER_SECOND
      const waiting = await seedOrders(database, wanted)
      await database.query(sql.typeAlias('void')`analyze`)
      await settle(database, waiting)
      const seeded = [...waiting]
      const samples: Sample[] = []
      for (let round = 0; round < settings.rounds; round += 1) {
        settings.tell(`round ${round + 1} of ${settings.rounds}`)
        const readCpu = () => readOwnCpu() + readPostgresCpu(cluster)
        samples.push(
          await takeSample(readCpu, SECONDS, async () => {
            block = await follow(database as DatabasePool, waiting, block, isFollowed)
          }),
        )
      }
      if (!isFollowed) await settle(database, seeded)
      left += waiting.length
      await expectOpen(database, left)
      rows.push({
        ...summarize({ name, baseline: isFollowed ? 'orders.written' : null, compared: 'cpu' }, samples),
        note: `${FILLS_PER_SECOND} fills a second; with PostgreSQL`,
      })
    }
  } finally {
    await database?.end()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return rows
}

/** Reviews all orders, after which none counts as changed. */
async function settle(database: DatabasePool, orders: readonly OpenOrder[]): Promise<void> {
  const depositors = orders.map(({ depositor }) => depositor)
  for (let at = 0; at < depositors.length; at += 500)
    await reviewOrders(database, CHAINS, depositors.slice(at, at + 500))
}

/** Continues the chains for a while. @returns Their last block. */
async function follow(
  database: DatabasePool,
  waiting: OpenOrder[],
  from: bigint,
  isFollowed: boolean,
): Promise<bigint> {
  let hear: (change: IndexChange) => void = () => {}
  const follower = new OrderFollower({
    database,
    book: createBridgeBook(database, CHAINS),
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
  for (let second = 0; second < SECONDS; second += 1) {
    const next = sleep(1_000)
    block += 1n
    const filled = waiting.splice(0, FILLS_PER_SECOND)
    await fillOrders(database, filled, block)
    for (const chainId of [ORIGIN, DESTINATION]) {
      await reachBlock(database, chainId, block)
      const addresses = chainId === DESTINATION ? filled.map(({ depositor }) => depositor) : []
      hear({ chainId, blockNumber: block, blockHash: null, addresses, pools: false, reorg: false })
    }
    await next
  }
  await follower.stop()
  return block
}

/** Checks that every order is in the chains' state: filled ones have ended, the others wait. */
async function expectOpen(database: DatabasePool, waiting: number): Promise<void> {
  const counts = await countOpenOrders(database, 0)
  const found = counts.reduce(
    (sum, { orders, status }) => sum + (status === 'confirmed_source' ? orders : 0),
    0,
  )
  // The newest fills are not final yet.
  const missing = found - waiting
  if (missing < 0 || missing > FILLS_PER_SECOND * (CONFIRMATIONS + 1))
    throw new Error(`${found} orders wait for their fill instead of ${waiting}`)
}
