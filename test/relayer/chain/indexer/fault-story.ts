import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEther } from 'viem'
import { expect } from 'vitest'
import { readIndexedChains } from '../../../../db/chain/indexer/indexed-chains.ts'
import { openTestDatabase } from '../../../harness/open-test-database.ts'
import { pay } from './calls.ts'
import { dumpFacts, expectHoldingsOfChain } from './expect-chain.ts'
import { reorganize } from './reorganize.ts'
import { startIndexer } from './start-indexer.ts'
import { ALL_FAULTS, startLyingDoor, type Fault } from './start-lying-door.ts'
import { createTraffic } from './traffic.ts'
import { seedAddresses } from './seed-addresses.ts'
import { randomAddress } from './chain-calls.ts'
import { eventually, startIndexWorld, untilSynced } from './start-index-world.ts'

const SETTINGS = { leaseMs: 1_000, depth: 32, timeoutMs: 500, logRange: 20 }

export interface FaultStory {
  rounds: number
  /** Processes that index at the same time. */
  instances: number
  seed: number
}

/**
 * Makes traffic and reorgs while every connection to the chain misbehaves and the instances are killed repeatedly. In
 * the end the facts must equal those of an index without faults.
 * @returns The number of faults by kind.
 */
export async function faultStory({ rounds, instances, seed }: FaultStory): Promise<{
  faults: ReadonlyMap<Fault, number>
  kills: number
}> {
  await using world = await startIndexWorld()
  const { database } = world
  const doors = [await startLyingDoor(world.rpcUrl, seed), await startLyingDoor(world.rpcUrl, seed + 1)]
  const { startBlock, ...rest } = world.config
  const chain = JSON.stringify({ ...rest, startBlock: String(startBlock) }, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  const program = join(import.meta.dirname, 'indexer-process.ts')
  const children = new Set<ChildProcess>()
  const launch = () => {
    const child = spawn(process.execPath, [program, database.url, chain, ...doors.map(({ url }) => url)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    children.add(child)
    child.once('exit', () => children.delete(child))
    return child
  }
  const kill = async (child: ChildProcess | undefined) => {
    if (!child) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  const reached = async () => (await readIndexedChains(database.pool))[0]?.blockNumber ?? 0n
  let kills = 0
  try {
    const own = Array.from({ length: 20 }, randomAddress)
    await world.mine(...own.map((address) => pay(address, parseEther('50'))))
    await world.mineEmpty(20)
    const traffic = createTraffic(world, own, seed)
    await seedAddresses(database.pool, own.slice(0, 10))
    for (const door of doors) door.set({ share: 0.2, kinds: ALL_FAULTS })
    for (let instance = 0; instance < instances; instance += 1) launch()
    for (let round = 0; round < rounds; round += 1) {
      await traffic.run(6)
      // Waits for some progress, then kills at any point.
      const before = await reached()
      await eventually(reached, (block) => block > before)
      await sleep((round * 37) % 150)
      if (round === Math.floor(rounds / 2)) await seedAddresses(database.pool, own.slice(10))
      if (round % 2 === 1) await reorganize(world, 1 + ((round * 5) % 12), traffic.invent(5))
      await kill([...children][round % children.size])
      kills += 1
      launch()
    }
    await eventually(reached, (block) => block > startBlock + 20n)
    await Promise.all([...children].map(kill))
    // The remaining blocks are indexed in this process, with the same faults, so that the end can be observed.
    const last = await startIndexer(database.pool, world.config, SETTINGS, {
      rpcUrls: doors.map(({ url }) => url),
    })
    await untilSynced(world, last)
    await last.stop()
    await expectHoldingsOfChain(world, database.pool, own, traffic.ids())

    const fresh = await openTestDatabase()
    try {
      await seedAddresses(fresh.pool, own)
      const peaceful = await startIndexer(fresh.pool, world.config, SETTINGS)
      await untilSynced(world, peaceful)
      await peaceful.stop()
      expect(await dumpFacts(database.pool)).toEqual(await dumpFacts(fresh.pool))
    } finally {
      await fresh.drop()
    }
    const faults = new Map<Fault, number>()
    for (const { done } of doors)
      for (const [kind, count] of done) faults.set(kind, (faults.get(kind) ?? 0) + count)
    return { faults, kills }
  } finally {
    await Promise.all([...children].map(kill))
    for (const door of doors) await door.close()
  }
}
