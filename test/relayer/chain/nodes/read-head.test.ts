import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openChain, type OpenChain } from '../../../../relayer/chain/nodes/open-chain.ts'
import { configureChain } from '../broadcast/start-engine.ts'
import { startNodeDoor, type NodeDoor } from '../broadcast/start-node-door.ts'
import { startNode, type Node } from '../broadcast/start-node.ts'
import { standStill } from './lag.ts'

let node: Node
let first: NodeDoor
let second: NodeDoor
let chain: OpenChain | null = null
beforeEach(async () => {
  node = await startNode()
  ;[first, second] = await Promise.all([startNodeDoor(node.url), startNodeDoor(node.url)])
})
afterEach(async () => {
  await chain?.stop()
  chain = null
  await Promise.all([first.close(), second.close()])
  await node.stop()
})

async function follow(rpcUrls = [first.url, second.url]): Promise<OpenChain> {
  chain = openChain(configureChain({ rpcUrls, signers: 1, pollIntervalMs: 50 }), pino({ level: 'silent' }))
  await chain.start()
  return chain
}

const hostOf = ({ url }: NodeDoor) => new URL(url).host
const headOf = ({ head }: OpenChain) => head()?.number
const statusOf = (opened: OpenChain, door: NodeDoor) =>
  opened.nodes.statuses().find(({ name }) => name === hostOf(door))

test('a preferred node that stands 64 blocks behind is passed over and named, and is asked first again once it caught up', async () => {
  await node.ask('anvil_mine', '0x64')
  standStill(first, node, 36)
  const opened = await follow()
  expect(headOf(opened)).toBe(100n)
  expect(statusOf(opened, first)).toMatchObject({
    name: hostOf(first),
    problem: 'behind',
    detail: 'is 64 blocks behind',
    behind: 64,
  })
  expect(statusOf(opened, second)).toMatchObject({ problem: null })
  const before = first.asked('eth_getBalance')
  await opened.client.getBalance({ address: '0x1000000000000000000000000000000000000001' })
  expect(first.asked('eth_getBalance')).toBe(before)
  standStill(first, node, null)
  await expect.poll(() => statusOf(opened, first)?.problem).toBe(null)
  await expect.poll(() => opened.nodes.leader().name).toBe(hostOf(first))
})

test('a preferred node that stops a few blocks before the other is passed over', async () => {
  await node.ask('anvil_mine', '0x8')
  const opened = await follow()
  expect(opened.nodes.leader().name).toBe(hostOf(first))
  standStill(first, node, 8)
  await node.ask('anvil_mine', '0x1')
  await expect.poll(() => headOf(opened), { timeout: 20_000 }).toBe(9n)
  expect(statusOf(opened, first)).toMatchObject({ problem: 'behind', behind: 1 })
})

test.each(['number alone', 'number, hash and parent'])(
  'a node that claims a far head by %s, and cannot show it, neither freezes nor misleads',
  async (kind) => {
    await node.ask('anvil_mine', '0x8')
    first.alter('eth_getBlockByNumber', (block, [tag]) =>
      tag !== 'latest'
        ? block
        : {
            ...(block as object),
            number: '0xfffff',
            ...(kind !== 'number alone' && {
              hash: `0x${'ab'.repeat(32)}`,
              parentHash: `0x${'cd'.repeat(32)}`,
            }),
          },
    )
    const opened = await follow()
    expect(headOf(opened)).toBe(8n)
    await node.ask('evm_mine')
    await expect.poll(() => headOf(opened)).toBe(9n)
    expect(statusOf(opened, first)).toMatchObject({ problem: 'unproven' })
    first.alter('eth_getBlockByNumber')
    await expect.poll(() => statusOf(opened, first)?.problem, { timeout: 20_000 }).toBe(null)
  },
)

test('a head from the future counts only where all nodes show one', async () => {
  await node.ask('evm_increaseTime', 86_400)
  await node.ask('anvil_mine', '0x8')
  standStill(second, node, 0)
  const opened = await follow()
  expect(headOf(opened)).toBe(0n)
  standStill(second, node, null)
  await expect.poll(() => headOf(opened)).toBe(8n)
})

test('a block that the asked node does not have yet is read from the other one', async () => {
  await node.ask('anvil_mine', '0x8')
  const opened = await follow()
  standStill(first, node, 7)
  const { hash } = await opened.client.getBlock({ blockNumber: 8n })
  expect((await opened.client.getBlock({ blockHash: hash })).number).toBe(8n)
  first.refuse('eth_call', { code: -32_000, message: 'header not found' })
  await expect(
    opened.client.call({ to: '0x1000000000000000000000000000000000000001', blockNumber: 8n }),
  ).resolves.toEqual({ data: undefined })
})

test('of two healthy nodes the second is asked for its head at every tenth poll at most', async () => {
  await node.ask('anvil_mine', '0x8')
  const opened = await follow()
  const before = [first.asked('eth_getBlockByNumber'), second.asked('eth_getBlockByNumber')]
  for (let look = 0; look < 40; look += 1) await opened.refresh()
  const [asked = 0, beside = 0] = [first, second].map(
    (door, place) => door.asked('eth_getBlockByNumber') - before[place]!,
  )
  expect(asked).toBeGreaterThanOrEqual(40)
  expect(beside).toBeLessThanOrEqual(asked / 8)
  expect(beside).toBeGreaterThan(0)
})

test('a question that a node cannot answer goes to the other, which is not flooded by it', async () => {
  const opened = await follow()
  const unknown = `0x${'12'.repeat(32)}` as const
  for (let count = 0; count < 30; count += 1)
    await opened.client.request({ method: 'eth_getTransactionReceipt', params: [unknown] })
  expect(first.asked('eth_getTransactionReceipt')).toBe(30)
  expect(second.asked('eth_getTransactionReceipt')).toBeLessThan(4)
})
