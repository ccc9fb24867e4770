import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEther, type Address } from 'viem'
import { expect } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { pay } from './calls.ts'
import { randomAddress } from './chain-calls.ts'
import { dumpFacts, expectHoldingsOfChain } from './expect-chain.ts'
import type { IndexOrders } from './index-process.ts'
import { seedAddresses } from './seed-addresses.ts'
import { startIndexWorld, untilSynced, type IndexWorld } from './start-index-world.ts'
import { startIndexer } from './start-indexer.ts'
import { createTraffic } from './traffic.ts'

/** How large the story is. */
export interface KilledBackfill {
  /** Late addresses of each of three accounts, besides those that were paid. */
  others: number
  /** Blocks without traffic: the pass takes 32 at a time. */
  emptyBlocks: number
  kills: number
  /** Called before each kill, with its number: waits until the process is to be killed. */
  untilKill(kill: number, readPass: () => Promise<Pass>): Promise<void>
}

const pass = z.object({ begun: z.bigint(), block: z.bigint().nullable(), waiting: z.bigint() })
/** Passes that have begun, the next block of the present one, and the number of addresses that still need one. */
export type Pass = z.output<typeof pass>

const SETTINGS = { depth: 12, addressesPerLook: 300, parallelBlocks: 3, leaseMs: 1_000 }
const PROGRAM = fileURLToPath(new URL('./index-process.ts', import.meta.url))

/** Many addresses come late to an indexed chain, and the process that reads their past is killed again and again. */
export async function killBackfill(story: KilledBackfill): Promise<void> {
  await using world = await startIndexWorld()
  const own = Array.from({ length: 8 }, randomAddress)
  await world.mine(...own.map((address) => pay(address, parseEther('50'))))
  await world.mineEmpty(story.emptyBlocks)
  const traffic = createTraffic(world, own)
  await traffic.run(6)
  const strangers = () => Array.from({ length: story.others }, randomAddress)
  const accounts = [[...own.slice(0, 5), ...strangers()], [...own.slice(5), ...strangers()], strangers()]

  const killed = await openTestDatabase()
  const fresh = await openTestDatabase()
  try {
    const first = await startIndexer(killed.pool, world.config, SETTINGS)
    await untilSynced(world, first)
    await first.stop()
    for (const addresses of accounts) await seedAddresses(killed.pool, addresses)
    const readPass = () => readPassOf(killed)
    for (let kill = 0; kill < story.kills; kill += 1) {
      const child = startProcess(world, killed)
      await story.untilKill(kill, readPass)
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
    await indexAll(world, killed)
    const { begun, ...rest } = await readPass()
    expect(begun).toBeGreaterThan(0n)
    expect(rest).toEqual({ block: null, waiting: 0n })

    for (const addresses of accounts) await seedAddresses(fresh.pool, addresses)
    await indexAll(world, fresh)
    expect(await dumpFacts(killed.pool)).toEqual(await dumpFacts(fresh.pool))
    expect(await listWatched(killed)).toEqual(await listWatched(fresh))
    await expectHoldingsOfChain(world, killed.pool, own, traffic.ids())
  } finally {
    await killed.drop()
    await fresh.drop()
  }
}

function startProcess({ config: chain }: IndexWorld, { url: databaseUrl }: TestDatabase): ChildProcess {
  // Structured, because the settings hold bigints.
  const child = fork(PROGRAM, { execArgv: [], serialization: 'advanced' })
  child.send({ databaseUrl, chain, settings: SETTINGS } satisfies IndexOrders)
  return child
}

async function indexAll(world: IndexWorld, { pool }: TestDatabase): Promise<void> {
  const running = await startIndexer(pool, world.config, SETTINGS)
  await untilSynced(world, running)
  await running.stop()
}

const readPassOf = ({ pool }: TestDatabase): Promise<Pass> =>
  pool.one(sql.type(pass)`
    select next_pass - 1 as begun, pass_block as block,
      (select count(*) from watched_address where pass is not null) as waiting
    from indexed_chain`)

/** Lists the watched addresses whose past is read completely. */
const listWatched = ({ pool }: TestDatabase): Promise<readonly Address[]> =>
  pool.anyFirst(sql.type(z.object({ address: z.custom<Address>() }))`
    select address from watched_address where history_next is null and pass is null order by address`)

/** Asks until the answer is as wanted. */
export async function pollUntil(isIt: () => Promise<boolean>): Promise<void> {
  while (!(await isIt())) await sleep(5)
}
