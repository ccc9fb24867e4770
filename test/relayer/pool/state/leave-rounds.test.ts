import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createMemoryState } from '../../../../db/shared-state/create-memory-state.ts'
import type { SharedState } from '../../../../db/shared-state/shared-state.ts'
import { openChain } from '../../../../relayer/chain/nodes/open-chain.ts'
import { followReviews } from '../../../../relayer/pool/state/follow-reviews.ts'
import type { Pool, PoolState } from '../../../../relayer/pool/state/pool-state.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import { configureChain } from '../../chain/broadcast/start-engine.ts'
import { startNode, type Node } from '../../chain/broadcast/start-node.ts'

const POLL_MS = 50
const logger = pino({ level: 'silent' })

let database: TestDatabase
let node: Node
beforeAll(async () => {
  ;[database, node] = await Promise.all([openTestDatabase(), startNode()])
})
afterAll(async () => {
  await node?.stop()
  await database?.drop()
})

/** An instance that follows one pool's reviews at a provider of its own, which counts the questions. */
async function startInstance(shared: SharedState) {
  let asked = 0
  const server: Server = createServer((_, response) => {
    asked += 1
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"events":[],"total":0}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { relayer, ...settings } = configureChain({
    rpcUrls: [node.url],
    signers: 1,
    pollIntervalMs: POLL_MS,
  })
  const asp = { name: 'provider', url, pollIntervalMs: POLL_MS }
  const chain = openChain({ ...settings, relayer: { ...relayer, asp } }, logger, shared)
  await chain.start()
  const pools = { pools: () => [{ chainId: settings.chainId, scope: 1n } as Pool] } as unknown as PoolState
  const followed = followReviews(chain, pools, database.pool, logger)
  const stop = async () => {
    await followed.stop()
    await chain.stop()
  }
  onTestFinished(stop)
  return { asked: () => asked, stop }
}

test('one of two instances asks the provider, and the other polls now and then, until it is alone', async () => {
  const shared = createMemoryState(logger)
  const instances = [await startInstance(shared), await startInstance(shared)]
  const count = () => instances.map(({ asked }) => asked())
  // While one asks forty times, the other does four times by the clock: more often only where the first is slow.
  await expect
    .poll(
      async () => {
        const before = count()
        await expect
          .poll(() => Math.max(...count().map((asked, place) => asked - before[place]!)))
          .toBeGreaterThanOrEqual(20)
        return Math.min(...count().map((asked, place) => asked - before[place]!))
      },
      { interval: 0 },
    )
    .toBeLessThan(10)
  const [busy, quiet] = instances.toSorted((one, other) => other.asked() - one.asked())
  await busy!.stop()
  const before = quiet!.asked()
  await expect.poll(() => quiet!.asked()).toBeGreaterThan(before + 20)
})
