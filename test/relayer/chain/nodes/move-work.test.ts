import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openNodes } from '../../../../relayer/chain/indexer/ask-nodes.ts'
import { followRing } from '../../../../relayer/chain/indexer/create-indexer.ts'
import { readBalances } from '../../../../relayer/chain/indexer/read-balances.ts'
import { createNodeRing, type NodeRing } from '../../../../relayer/chain/nodes/node-ring.ts'
import { createClient } from '../../../../relayer/chain/nodes/open-chain.ts'
import { countRpc, type RpcCounter } from '../../../harness/count-rpc.ts'
import { startDoor, type Door } from '../../../harness/start-door.ts'
import { configureChain } from '../broadcast/start-engine.ts'
import { startNode, type Node } from '../broadcast/start-node.ts'

let node: Node
let door: Door
let nodes: [RpcCounter, RpcCounter]
beforeEach(async () => {
  node = await startNode()
  door = await startDoor(node.url)
  nodes = [await countRpc(door.url), await countRpc(node.url)]
})
afterEach(async () => {
  vi.useRealTimers()
  for (const one of nodes) await one.close()
  await door.close()
  await node.stop()
})

const address = '0x1000000000000000000000000000000000000001'

function open() {
  const rpcUrls = nodes.map(({ url }) => url)
  const config = configureChain({ rpcUrls, signers: 1 })
  const ring: NodeRing = createNodeRing(rpcUrls, config.chainId, pino({ level: 'silent' }))
  const client = createClient(config, {}, ring)
  return { config, ring, ask: () => client.getBalance({ address }) }
}

/** How many questions about the address each node got since the last call. */
const takeAsked = () =>
  nodes.map((one) => one.takeBodies().filter((body) => body.includes(address.slice(2))).length)

test('after one question without an answer all questions of the chain go to the next node, and after a while all go back', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { ask } = open()
  await ask()
  expect(takeAsked()).toEqual([1, 0])
  door.shut(['eth_getBalance'])
  await ask()
  door.open()
  for (let count = 0; count < 5; count += 1) await ask()
  expect(takeAsked()).toEqual([1, 6])

  vi.setSystemTime(Date.now() + 61_000)
  for (let count = 0; count < 5; count += 1) await ask()
  expect(takeAsked()).toEqual([5, 0])
})

test('a node that fails again on its return is left alone for twice as long', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { ask } = open()
  door.shut(['eth_getBalance'])
  await ask()
  vi.setSystemTime(Date.now() + 61_000)
  await ask()
  takeAsked()
  door.open()
  vi.setSystemTime(Date.now() + 61_000)
  await ask()
  expect(takeAsked()).toEqual([0, 1])
  vi.setSystemTime(Date.now() + 61_000)
  await ask()
  expect(takeAsked()).toEqual([1, 0])
})

test('the indexer asks for balances where the rest of the chain asks', async () => {
  const { config, ring, ask } = open()
  const indexed = followRing(
    openNodes(
      config.rpcUrls,
      5_000,
      config.chainId,
      new Map(ring.nodes.map(({ url, identity }) => [url, identity])),
    ),
    ring,
  )
  const { hash } = await node.ask<{ hash: `0x${string}` }>('eth_getBlockByNumber', 'latest', false)
  const key = {
    address,
    owner: 'one',
    standard: 'native',
    token: '0x0000000000000000000000000000000000000000',
    tokenId: 0n,
  } as Parameters<typeof readBalances>[1][number]
  const read = () => readBalances(indexed, [key], hash)
  await read()
  expect(takeAsked()).toEqual([1, 0])
  door.shut('all')
  await read()
  door.open()
  takeAsked()
  await ask()
  await read()
  expect(takeAsked()).toEqual([0, 2])
})
