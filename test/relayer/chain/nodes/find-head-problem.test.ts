import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { blockAgeMs, findHeadProblem } from '../../../../relayer/chain/nodes/find-head-problem.ts'
import { openChain, type OpenChain } from '../../../../relayer/chain/nodes/open-chain.ts'
import { configureChain } from '../broadcast/start-engine.ts'
import { startNode, type Node } from '../broadcast/start-node.ts'

const HOUR = 3_600
let node: Node
let chain: OpenChain
afterEach(async () => {
  await chain.stop()
  await node.stop()
})

async function follow(genesis: number, blocksOnDemand = false): Promise<void> {
  node = await startNode('--timestamp', String(genesis))
  const config = configureChain({ rpcUrls: [node.url], signers: 1, pollIntervalMs: 50 })
  chain = openChain({ ...config, blocksOnDemand }, pino({ level: 'silent' }))
  await chain.start()
}

const now = () => Math.floor(Date.now() / 1_000)

test('a head that was read just now is as old as its block, and one that does not move is a problem', async () => {
  await follow(now() - HOUR)
  const head = chain.head()!
  expect(blockAgeMs(head, Date.now())).toBeGreaterThanOrEqual(HOUR * 1_000)
  expect(Date.now() - head.seenAt).toBeLessThan(HOUR * 1_000)
  expect(findHeadProblem(chain, Date.now())).toMatch(/^its head does not move: block 0 is 36\d\d/)
})

test('the age of a head is judged by the pace of its chain', async () => {
  const genesis = now() - 10 * HOUR
  await follow(genesis)
  for (let count = 0; count < 8; count += 1) {
    await node.ask('evm_setNextBlockTimestamp', genesis + (count + 1) * HOUR)
    await node.ask('evm_mine')
    await chain.refresh()
  }
  expect(chain.usualBlockMs()).toBe(HOUR * 1_000)
  expect(findHeadProblem(chain, Date.now())).toBeNull()
  expect(findHeadProblem(chain, Date.now() + 30 * HOUR * 1_000)).toContain('its head is stale')
})

test('an old head is no problem where blocks come on demand', async () => {
  await follow(now() - HOUR, true)
  expect(findHeadProblem(chain, Date.now())).toBeNull()
})
