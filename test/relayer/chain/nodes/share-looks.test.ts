import { pino } from 'pino'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createMemoryState } from '../../../../db/shared-state/create-memory-state.ts'
import type { SharedState } from '../../../../db/shared-state/shared-state.ts'
import { isHeadFresh } from '../../../../relayer/chain/nodes/find-head-problem.ts'
import { openChain, type OpenChain } from '../../../../relayer/chain/nodes/open-chain.ts'
import { countRpc, type RpcCounter } from '../../../harness/count-rpc.ts'
import { configureChain } from '../broadcast/start-engine.ts'
import { startNode, type Node } from '../broadcast/start-node.ts'

const POLL_MS = 100
const TOPIC = 'head of chain 31337'
const logger = pino({ level: 'silent' })

let node: Node
let counters: RpcCounter[]
let chains: OpenChain[]
let shared: SharedState
/** Messages are dropped while it is true. */
let isDeaf: boolean
beforeEach(async () => {
  node = await startNode()
  counters = await Promise.all([countRpc(node.url), countRpc(node.url), countRpc(node.url)])
  const memory = createMemoryState(logger)
  isDeaf = false
  shared = {
    ...memory,
    publish: (topic, message) => (isDeaf ? Promise.resolve() : memory.publish(topic, message)),
  }
  chains = []
})
afterEach(async () => {
  for (const chain of chains) await chain.stop()
  for (const counter of counters) await counter.close()
  await node.stop()
})

/** One more instance, whose questions are counted apart. */
async function startInstance(pollIntervalMs = POLL_MS, state: SharedState = shared): Promise<OpenChain> {
  const { url } = counters[chains.length]!
  const chain = openChain(configureChain({ rpcUrls: [url], signers: 1, pollIntervalMs }), logger, state)
  chains.push(chain)
  await chain.start()
  return chain
}

/** Mines a block and waits until every instance has it. */
async function mineOne(): Promise<void> {
  await node.ask('evm_mine')
  const { hash } = await node.ask<{ hash: string }>('eth_getBlockByNumber', 'latest', false)
  await expect.poll(() => chains.map((chain) => chain.head()?.hash)).toEqual(chains.map(() => hash))
}

/** Round trips of each instance since the last time, beside asking a new connection its chain. */
const takeTrips = () =>
  counters.map((counter) => counter.take().filter((methods) => methods.join() !== 'eth_chainId').length)

test('one of three instances asks the nodes, and the others get each head, its derived data and the tip', async () => {
  for (let count = 0; count < 3; count += 1) await startInstance()
  // Soon only one of them looks.
  await expect
    .poll(
      () => {
        const trips = takeTrips()
        return trips.filter((count) => count > 0).length
      },
      { interval: 10 * POLL_MS },
    )
    .toBe(1)
  takeTrips()
  for (let count = 0; count < 5; count += 1) await mineOne()
  const methods = counters.flatMap((counter) => counter.take().flat())
  // On a busy machine an instance may have looked because the other was late.
  const feeQuestions = methods.filter((method) => method === 'eth_feeHistory').length
  expect(feeQuestions).toBeLessThan(5 * 3)
  expect(new Set(chains.map((chain) => chain.nextBlock()?.baseFeePerGas)).size).toBe(1)
  expect(new Set(chains.map((chain) => chain.tip())).size).toBe(1)
})

test('an instance that asks for the head itself ignores reports, and asks nothing that another has reported', async () => {
  const hearing = await startInstance(60_000)
  const looking = await startInstance(60_000)
  takeTrips()
  for (let count = 0; count < 3; count += 1) {
    await node.ask('evm_mine')
    const head = await looking.refresh()
    await expect.poll(() => hearing.head()?.hash).toBe(head.hash)
    expect(hearing.head()?.seenAt).toBe(head.seenAt)
  }
  const [heard, looked] = takeTrips()
  expect(heard).toBe(0)
  expect(looked).toBeGreaterThan(0)
})

test('when the instance that polls falls silent, another polls', async () => {
  await startInstance()
  await startInstance()
  await mineOne()
  isDeaf = true
  for (let count = 0; count < 3; count += 1) await mineOne()
  expect(takeTrips().slice(0, 2)).not.toContain(0)
  isDeaf = false
  await chains[0]!.stop()
  chains = chains.slice(1)
  await mineOne()
})

test('a late report changes nothing, and does not keep an instance from polling', async () => {
  const told: string[] = []
  await shared.subscribe(TOPIC, (message) => told.push(message))
  const looking = await startInstance(60_000)
  const hearing = await startInstance(60_000)
  await node.ask('evm_mine')
  const early = await looking.refresh()
  await expect.poll(() => hearing.head()?.hash).toBe(early.hash)
  const [late] = told.slice(-1)
  await node.ask('evm_mine')
  const newest = await looking.refresh()
  await expect.poll(() => hearing.head()?.hash).toBe(newest.hash)
  // Its question is older than the known head.
  await shared.publish(TOPIC, late!)
  // Of the hour before, and of the hour to come.
  const news = JSON.parse(late!) as { at: number; from: string }
  for (const at of [news.at - 3_600_000, news.at + 3_600_000])
    await shared.publish(TOPIC, JSON.stringify({ ...news, at }))
  // Malformed reports.
  for (const message of ['', '{}', JSON.stringify({ ...news, hash: 1 })]) await shared.publish(TOPIC, message)
  await node.ask('evm_mine')
  const next = await hearing.refresh()
  expect(next.number).toBe(newest.number + 1n)
  await shared.publish(TOPIC, JSON.stringify({ ...news, at: news.at }))
  expect(hearing.head()).toMatchObject({ hash: next.hash })
})

test('a head is as old as the poll that saw it, whichever instance reports it', async () => {
  const looking = await startInstance(60_000)
  const hearing = await startInstance(60_000)
  await node.ask('evm_mine')
  const { seenAt } = await looking.refresh()
  await expect.poll(() => hearing.head()?.seenAt).toBe(seenAt)
  const { staleAfterMs } = hearing.config
  expect(isHeadFresh(hearing, seenAt + staleAfterMs)).toBe(true)
  expect(isHeadFresh(hearing, seenAt + staleAfterMs + 1)).toBe(false)
})

/** Reports again and again, as an instance that goes first, a look that saw the result of `say`. */
function keepTelling(say: () => object): void {
  const from = '00000000-0000-0000-0000-000000000000'
  const timer = setInterval(() => {
    const news = { from, at: Date.now(), block: null, readings: {}, ...say() }
    void shared.publish(TOPIC, JSON.stringify(news))
  }, POLL_MS / 5)
  onTestFinished(() => clearInterval(timer))
}

test('an instance that hears of a head that stands still polls for itself now and then', async () => {
  const hearing = await startInstance(POLL_MS / 2)
  const { hash } = hearing.head()!
  keepTelling(() => ({ hash }))
  await expect.poll(() => hearing.isLooking()).toBe(false)
  takeTrips()
  await mineOne()
  expect(hearing.head()!.hash).not.toBe(hash)
  // Until then it asked nothing.
  expect(takeTrips()[0]).toBeLessThan(5)
})

test('an instance accepts a reorg from a node of its own alone, never from a report', async () => {
  const told: string[] = []
  await shared.subscribe(TOPIC, (message) => told.push(message))
  const snapshot = await node.ask('evm_snapshot')
  const hearing = await startInstance()
  await mineOne()
  await expect.poll(() => told.some((message) => message.includes(hearing.head()!.hash))).toBe(true)
  const early = told.map((message) => JSON.parse(message)).find(({ block }) => block !== null)
  const seen: bigint[] = []
  hearing.onHead(({ number }) => void seen.push(number))
  keepTelling(() => ({ hash: early.hash, block: early.block }))
  await mineOne()
  await mineOne()
  expect(seen).toEqual([2n, 3n])
  await node.ask('evm_revert', snapshot)
  await expect.poll(() => hearing.head()?.number).toBe(0n)
})
