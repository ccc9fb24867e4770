import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChainIndex } from '../../../../relayer/chain/indexer/chain-index.ts'
import { findPastBlocks } from '../../../../relayer/chain/indexer/find-past-blocks.ts'
import { openNodes } from '../../../../relayer/chain/indexer/ask-nodes.ts'
import { payToken, rich } from './calls.ts'
import { contracts, randomAddress } from './chain-calls.ts'
import { startIndexWorld, type IndexWorld } from './start-index-world.ts'
import { startLyingDoor, type LyingDoor } from './start-lying-door.ts'

let world: IndexWorld
const doors: LyingDoor[] = []
beforeAll(async () => {
  world = await startIndexWorld()
})
afterAll(async () => {
  for (const door of doors) await door.close()
  await world?.[Symbol.asyncDispose]()
})

async function openDoor(lacks: RegExp | null = null): Promise<LyingDoor> {
  const door = await startLyingDoor(world.rpcUrl, 1, lacks)
  doors.push(door)
  return door
}

test('if one node fails, the other is asked twice, so that one false answer hides no block', async () => {
  const late = randomAddress()
  await world.mine(payToken(contracts.tokens[0], late, 1_000n, rich[0]))
  const to = BigInt(await world.ask<string>('eth_blockNumber'))
  const [dead, forgetful] = [await openDoor(/^eth_getLogs/), await openDoor()]
  forgetful.set({ share: 1, kinds: ['missing logs'], times: 1 })
  const index = {
    nodes: openNodes([dead.url, forgetful.url], 5_000, 31_337),
    chain: { config: {} },
    orchestrators: [],
    withoutTraceFilter: new Set([dead.url, forgetful.url]),
  } as unknown as ChainIndex
  expect(await findPastBlocks(index, [late], { from: to, to })).toHaveLength(1)
  expect(forgetful.done.get('missing logs')).toBe(1)
})
