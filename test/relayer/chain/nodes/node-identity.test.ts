import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { createClient, openChain, type OpenChain } from '../../../../relayer/chain/nodes/open-chain.ts'
import { startRpcServer } from '../../../proving/rpc/json-rpc-server.ts'
import { configureChain } from '../broadcast/start-engine.ts'
import { startNodeDoor, type NodeDoor } from '../broadcast/start-node-door.ts'
import { startNode, type Node } from '../broadcast/start-node.ts'

const stops: (() => unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})

async function open(...args: string[]): Promise<{ node: Node; door: NodeDoor }> {
  const node = await startNode(...args)
  stops.push(node.stop)
  const door = await startNodeDoor(node.url)
  stops.push(door.close)
  return { node, door }
}

async function follow(...rpcUrls: string[]): Promise<OpenChain> {
  const chain = openChain(
    configureChain({ rpcUrls, signers: 1, pollIntervalMs: 50 }),
    pino({ level: 'silent' }),
  )
  stops.push(chain.stop)
  await chain.start()
  return chain
}

const address = '0x1000000000000000000000000000000000000001'

test('a node of another chain is asked nothing but its chain id, and the next one answers', async () => {
  const other = await open('--chain-id', '1')
  const right = await open()
  await other.node.ask('anvil_mine', '0x20')
  const chain = await follow(other.door.url, right.door.url)
  expect(chain.head()?.number).toBe(0n)
  expect(await chain.client.getBalance({ address })).toBe(0n)
  expect(other.door.asked('eth_getBlockByNumber') + other.door.asked('eth_getBalance')).toBe(0)
  expect(chain.nodes.statuses()[0]).toMatchObject({ problem: 'other-chain', detail: 'serves chain 1' })
  expect(chain.nodes.urls()).toEqual([right.door.url])
})

test('an only node of another chain is no node, and nothing is sent to it', async () => {
  const { door } = await open('--chain-id', '1')
  const chain = await follow(door.url)
  expect(chain.head()).toBeNull()
  await expect(chain.client.request({ method: 'eth_sendRawTransaction', params: ['0x02'] })).rejects.toThrow(
    'serves chain 1 instead of 31337',
  )
  expect(door.asked('eth_sendRawTransaction')).toBe(0)
})

test('a node that comes back as one of another chain is left out from its first answer on', async () => {
  const { node, door } = await open()
  await node.ask('anvil_mine', '0x2')
  const chain = await follow(door.url)
  expect(chain.head()?.number).toBe(2n)
  door.alter('eth_chainId', () => '0x1')
  door.drop()
  await node.ask('anvil_mine', '0x2')
  await expect(chain.client.getBalance({ address })).rejects.toThrow('serves chain 1 instead of 31337')
  await expect(chain.refresh()).rejects.toThrow('serves chain 1 instead of 31337')
  expect(chain.head()?.number).toBe(2n)
  door.alter('eth_chainId')
  await expect.poll(() => chain.head()?.number, { timeout: 20_000 }).toBe(4n)
})

test('the chain id is not compared again on an open connection', async () => {
  const { door } = await open()
  const chain = await follow(door.url)
  await chain.refresh()
  const before = door.asked('eth_chainId')
  for (let count = 0; count < 20; count += 1) await chain.refresh()
  expect(door.asked('eth_chainId')).toBe(before)
})

test('an endpoint that only takes transactions is given them', async () => {
  const taken: string[] = []
  const server = await startRpcServer(({ body }, response) => {
    const { id, method } = JSON.parse(body) as { id: number; method: string }
    if (method === 'eth_sendRawTransaction') {
      taken.push(method)
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: `0x${'ab'.repeat(32)}` }))
    } else response.writeHead(403).end('forbidden')
  })
  stops.push(server.stop)
  const client = createClient(configureChain({ rpcUrls: [server.url], signers: 1 }))
  await client.request({ method: 'eth_sendRawTransaction', params: ['0x02'] })
  expect(taken).toHaveLength(1)
})
