import { LeanIMT } from '@zk-kit/lean-imt'
import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { changeAspSet, findAspSetState, listAspLabels } from '../../../../db/pool/tree/asp-set.ts'
import { createLogger } from '../../../../gateway/logging.ts'
import { createProvingPool } from '../../../../proving/create-proving-pool.ts'
import type { ProvingPool } from '../../../../proving/proving-pool.ts'
import type { RelayingChain } from '../../../../relayer/chain/nodes/chain.ts'
import { hashTreeNode } from '../../../devnet/note-hashes.ts'
import type { Pool, PoolState } from '../../../../relayer/pool/state/pool-state.ts'
import { followAspSet } from '../../../../relayer/pool/tree/follow-asp-set.ts'
import { labelListOf, verifyList } from '../../../../relayer/pool/tree/verify-list.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'

let database: TestDatabase
let proving: ProvingPool
beforeAll(async () => {
  ;[database, proving] = await Promise.all([
    openTestDatabase(),
    createProvingPool({ threads: 1, commitmentKeys: [] }),
  ])
})
afterAll(async () => {
  await proving?.close()
  await database?.drop()
})

const rootOf = (labels: readonly bigint[]) => new LeanIMT<bigint>(hashTreeNode, [...labels]).root
const numbers = (from: bigint, count: number) =>
  Array.from({ length: count }, (_, place) => from + BigInt(place))
const leavesOf = (labels: readonly bigint[]) => JSON.stringify({ aspLeaves: labels.map(String) })

let chains = 0
/** A chain whose Entrypoint has the given root, and a provider with answers set by the test. */
async function openWorld() {
  chains += 1
  const chainId = chains
  const world = {
    chainId,
    root: null as bigint | null,
    answer: (_scope: string): string | null => null,
    asked: 0,
    publish(labels: readonly bigint[], root = rootOf(labels)) {
      world.answer = () => leavesOf(labels)
      world.setRoot(root)
    },
    setRoot(root: bigint) {
      world.root = root
      for (const listener of listeners) listener()
    },
    read: async () => {
      const state = await findAspSetState(database.pool, chainId)
      const labels = await listAspLabels(database.pool, chainId, { from: 0, count: 10_000 })
      return state && { root: state.root, size: state.size, labels: labels.map(BigInt) }
    },
    follow,
  }
  const listeners = new Set<() => void>()
  const server: Server = createServer((request, response) => {
    world.asked += 1
    const body = world.answer(String(request.headers['x-pool-scope']))
    response.writeHead(body === null ? 404 : 200, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())

  function follow(): void {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const chain = {
      config: { chainId, relayer: { asp: { url, pollIntervalMs: 50 } } },
      isLooking: () => true,
    }
    const pools = {
      pools: () =>
        [
          { chainId, scope: 1n },
          { chainId, scope: 2n },
        ] as Pool[],
      aspRoot: () => world.root,
      onAspRoot: (listener: () => void) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    }
    const followed = followAspSet({
      chain: chain as unknown as RelayingChain,
      pools: pools as unknown as PoolState,
      database: database.pool,
      proving,
      logger: createLogger({ level: 'silent' }),
    })
    onTestFinished(() => followed.stop())
  }
  return world
}

const stored = (labels: readonly bigint[]) => ({ root: rootOf(labels), size: labels.length, labels })
const hashed = () => proving.stats().tasks.hash.done

test('the labels of a root are stored, and of a longer list only the new ones are hashed', async () => {
  const world = await openWorld()
  const labels = numbers(1_000n, 1_030)
  world.publish(labels)
  world.follow()
  await expect.poll(world.read).toEqual(stored(labels))
  const { lineage } = (await findAspSetState(database.pool, world.chainId))!
  const before = hashed()
  const longer = [...labels, 5n, 6n, 7n]
  world.publish(longer)
  await expect.poll(world.read).toEqual(stored(longer))
  expect(hashed() - before).toBe(3)
  expect((await findAspSetState(database.pool, world.chainId))!.lineage).toBe(lineage)
})

test('a list whose storing was cut short is completed from where it stands', async () => {
  const world = await openWorld()
  const labels = numbers(2_000n, 400)
  const bytes = Buffer.from(labels.map((label) => label.toString(16).padStart(64, '0')).join(''), 'hex')
  const checkpoints = (await verifyList(proving, labelListOf(bytes), rootOf(labels)))!
  const { size, root, frontier } = checkpoints[1]!
  const after = { root, frontier: [...frontier], lineage: randomUUID() }
  const first = labels.slice(0, size).map(String)
  await changeAspSet(database.pool, {
    chainId: world.chainId,
    before: null,
    keep: 0,
    labels: first,
    after,
  })
  expect(await world.read()).toEqual(stored(labels.slice(0, size)))
  const before = hashed()
  world.publish(labels)
  world.follow()
  await expect.poll(world.read).toEqual(stored(labels))
  expect(hashed() - before).toBe(labels.length - size)
})

test('labels that the provider lists before their root is on chain are left out', async () => {
  const world = await openWorld()
  const labels = numbers(1n, 20)
  world.publish([...labels, 98n, 99n], rootOf(labels))
  world.follow()
  await expect.poll(world.read).toEqual(stored(labels))
})

test('a list that changed inside replaces the stored labels from the first difference on', async () => {
  const world = await openWorld()
  const labels = numbers(1n, 300)
  world.publish(labels)
  world.follow()
  await expect.poll(world.read).toEqual(stored(labels))
  const { lineage } = (await findAspSetState(database.pool, world.chainId))!
  const without = labels.filter((label) => label !== 200n)
  world.publish(without)
  await expect.poll(world.read).toEqual(stored(without))
  expect((await findAspSetState(database.pool, world.chainId))!.lineage).not.toBe(lineage)
  world.publish(labels.slice(0, 7))
  await expect.poll(world.read).toEqual(stored(labels.slice(0, 7)))
})

test('nothing is stored of a list with another root, of a malformed one, or of one with a label twice', async () => {
  const world = await openWorld()
  const labels = numbers(1n, 5)
  world.publish(labels)
  world.follow()
  await expect.poll(world.read).toEqual(stored(labels))
  const twice = [...labels, 3n]
  for (const refuse of [
    () => world.publish([...labels, 9n], 12_345n),
    () => world.publish(twice),
    () => (world.answer = () => '{"aspLeaves":["1",'),
    () => (world.answer = () => '{"aspLeaves":[0]}'),
    () => (world.answer = () => null),
  ]) {
    refuse()
    const { asked } = world
    await expect.poll(() => world.asked).toBeGreaterThan(asked + 4)
    expect(await world.read()).toEqual(stored(labels))
  }
  // A list that was hashed in vain is not hashed again.
  world.publish([...labels, 9n], 12_345n)
  const { asked } = world
  await expect.poll(() => world.asked).toBeGreaterThan(asked + 4)
  const before = hashed()
  await expect.poll(() => world.asked).toBeGreaterThan(asked + 8)
  expect(hashed()).toBe(before)
  world.publish([...labels, 9n])
  await expect.poll(world.read).toEqual(stored([...labels, 9n]))
})

test('an answer above the limit is not read to its end', async () => {
  const world = await openWorld()
  world.setRoot(1n)
  const much = `{"aspLeaves":["${'1'.repeat(65 * 1_024 * 1_024)}`
  world.answer = (scope) => (scope === '1' ? much : leavesOf([4n]))
  world.setRoot(4n)
  world.follow()
  await expect.poll(world.read).toEqual(stored([4n]))
})

test('several instances store each list once, whichever is first', async () => {
  const world = await openWorld()
  let labels = numbers(1n, 200)
  world.publish(labels)
  for (let instance = 0; instance < 3; instance += 1) world.follow()
  for (const next of [[...labels, 500n], numbers(50n, 150), numbers(50n, 160)]) {
    await expect.poll(world.read).toEqual(stored(labels))
    labels = next
    world.publish(labels)
  }
  await expect.poll(world.read).toEqual(stored(labels))
})
