import { parseEther, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readHoldings } from '../../../harness/read-facts.ts'
import { startBatchLimitDoor } from '../../../harness/start-batch-limit-door.ts'
import { pay } from './calls.ts'
import { randomAddress } from './chain-calls.ts'
import { seedAddresses } from './seed-addresses.ts'
import { startIndexWorld, untilSynced, type IndexWorld } from './start-index-world.ts'
import { startIndexer } from './start-indexer.ts'

let world: IndexWorld
beforeAll(async () => {
  world = await startIndexWorld()
})
afterAll(() => world?.[Symbol.asyncDispose]())

test.each([100, 7])(
  '150 own payments in one block are indexed by a node that takes %i calls a batch',
  async (most) => {
    const own = Array.from({ length: 150 }, randomAddress)
    await seedAddresses(world.database.pool, own)
    const door = await startBatchLimitDoor(world.rpcUrl, most)
    const running = await startIndexer(world.database.pool, world.config, {}, { rpcUrls: [door.url] })
    try {
      await untilSynced(world, running)
      await world.mine(...own.map((address) => pay(address, parseEther('0.01'))))
      await untilSynced(world, running)
      const held = await readHoldings(world.database.pool, own)
      expect(
        held.filter(({ token, amount }) => token === zeroAddress && amount === parseEther('0.01')),
      ).toHaveLength(150)
      expect(door.largest()).toBeLessThanOrEqual(most)
      if (most === 100) expect(door.refused).toEqual([])
    } finally {
      await running.stop()
      await door.close()
    }
  },
)
