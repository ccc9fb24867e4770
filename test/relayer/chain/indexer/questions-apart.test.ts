import { parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countRpc, type RpcCounter } from '../../../harness/count-rpc.ts'
import { seedAddresses } from './seed-addresses.ts'
import { pay, payToken } from './calls.ts'
import { contracts, randomAddress } from './chain-calls.ts'
import { expectHoldingsOfChain } from './expect-chain.ts'
import { startIndexWorld, untilSynced, type IndexWorld } from './start-index-world.ts'
import { startIndexer, type RunningIndexer } from './start-indexer.ts'

let world: IndexWorld
let door: RpcCounter
let running: RunningIndexer
beforeAll(async () => {
  world = await startIndexWorld()
  door = await countRpc(world.rpcUrl)
  running = await startIndexer(world.database.pool, world.config, {}, { rpcUrls: [door.url] })
})
afterAll(async () => {
  await running?.stop()
  await door?.close()
  await world?.[Symbol.asyncDispose]()
})

/** For each request that contains any of the addresses, how many of them it contains. */
const namedIn = (bodies: readonly string[], addresses: readonly string[]) =>
  bodies
    .map((body) => addresses.filter((address) => body.toLowerCase().includes(address.slice(2).toLowerCase())))
    .filter((named) => named.length > 0)

test.each([2, 12])(
  '%i addresses of an account that one block pays are not queried together',
  async (count) => {
    const { pool } = world.database
    const own = Array.from({ length: count }, randomAddress)
    const others = [randomAddress(), randomAddress()]
    await seedAddresses(pool, own)
    for (const address of others) await seedAddresses(pool, [address])
    running.indexer.noticeAddresses()
    await untilSynced(world, running)
    door.takeBodies()

    const [dollar] = contracts.tokens
    const paid = [...own, ...others]
    await world.mine(
      ...paid.map((address) => pay(address, parseEther('1'))),
      ...paid.map((address) => payToken(dollar, address, 5n)),
    )
    await untilSynced(world, running)
    const bodies = door.takeBodies()
    const asked = namedIn(bodies, own)
    expect(new Set(asked.flat()).size).toBe(count)
    expect(asked.filter((named) => named.length > 1)).toEqual([])
    expect(await expectHoldingsOfChain(world, pool, paid, [])).toBe(2 * paid.length)
  },
)
