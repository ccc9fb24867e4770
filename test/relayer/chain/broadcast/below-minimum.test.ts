import { parseGwei, parseTransaction, toHex, type Hex } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { eventually, startBroadcastWorld, type World } from './start-broadcast-world.ts'
import { CHAIN_ID } from './start-engine.ts'
import { startNodeDoor, type NodeDoor } from './start-node-door.ts'

let world: World
const doors: NodeDoor[] = []
afterEach(async () => {
  await world.stop()
  for (const door of doors.splice(0)) await door.close()
})

const never = new AbortController().signal
const config = { resendAfterMs: 100, bumpAfterMs: 600_000, reviewAfterMs: 600_000 }
const tipOf = (params: readonly unknown[]) => parseTransaction(params[0] as Hex).maxPriorityFeePerGas ?? 0n

/** A node that suggests a tip of 1 gwei and takes none below `least`. */
async function openDoor(least: bigint, say: (tip: bigint) => string): Promise<NodeDoor> {
  const door = await startNodeDoor(world.node.url)
  doors.push(door)
  door.alter('eth_maxPriorityFeePerGas', () => toHex(parseGwei('1')))
  door.refuse('eth_sendRawTransaction', (params) => {
    const tip = tipOf(params)
    return tip >= least ? null : { code: -32_000, message: say(tip) }
  })
  return door
}

const minedTips = async () => {
  const mined = await world.minedFrom(0)
  return Promise.all(
    mined.map(async ({ hash }) => {
      const { maxPriorityFeePerGas } = await world.node.ask<{ maxPriorityFeePerGas: Hex }>(
        'eth_getTransactionByHash',
        hash,
      )
      return BigInt(maxPriorityFeePerGas)
    }),
  )
}

const LEAST = parseGwei('25')

test('a transaction below the minimum that a node states is offered at that minimum at once, and the next begins there', async () => {
  world = await startBroadcastWorld({ signers: 1 })
  const door = await openDoor(
    LEAST,
    (tip) => `transaction gas price below minimum: gas tip cap ${tip}, minimum needed ${LEAST}`,
  )
  const engine = await world.startEngine({ rpcUrls: [door.url], config })
  const [id] = await world.enqueue(engine, 1)
  // On a busy machine its block comes before the look.
  expect(['sent', 'confirmed']).toContain((await engine.waitUntilSent(id ?? '', never)).status)
  await world.settled(1)
  expect(door.asked('eth_sendRawTransaction')).toBe(2)
  await world.enqueue(engine, 1, {}, 1)
  expect((await world.settled(2)).map(({ status }) => status)).toEqual(['confirmed', 'confirmed'])
  expect(door.asked('eth_sendRawTransaction')).toBe(3)
  expect(await minedTips()).toEqual([LEAST, LEAST])
})

test('a transaction below a minimum that no node states is offered at twice its price until one takes it', async () => {
  world = await startBroadcastWorld({ signers: 1 })
  const door = await openDoor(LEAST, () => 'Max priority fee per gas is less than the minimum')
  const engine = await world.startEngine({ rpcUrls: [door.url], config })
  await world.enqueue(engine, 1)
  expect(await world.settled(1)).toMatchObject([{ status: 'confirmed' }])
  expect(await minedTips()).toEqual([parseGwei('32')])
})

test('the lowest minimum of several nodes counts, and one node that takes it suffices', async () => {
  world = await startBroadcastWorld({ signers: 1 })
  const dear = await openDoor(
    parseGwei('40'),
    (tip) => `transaction underpriced: tip needed ${parseGwei('40')}, tip permitted ${tip}`,
  )
  const cheap = await openDoor(
    parseGwei('3'),
    (tip) => `FeeTooLow, EffectivePriorityFeePerGas too low ${tip} < ${parseGwei('3')}, BaseFee: 7`,
  )
  const engine = await world.startEngine({ rpcUrls: [dear.url, cheap.url], config })
  await world.enqueue(engine, 1)
  await world.settled(1)
  expect(await minedTips()).toEqual([parseGwei('3')])
})

test('a minimum above the highest price waits until the node takes less, and the transaction is never abandoned', async () => {
  world = await startBroadcastWorld({ signers: 1 })
  let least = parseGwei('1000000')
  const door = await startNodeDoor(world.node.url)
  doors.push(door)
  door.refuse('eth_sendRawTransaction', (params) =>
    tipOf(params) >= least
      ? null
      : {
          code: -32_000,
          message: `transaction gas price below minimum: gas tip cap 1, minimum needed ${least}`,
        },
  )
  const engine = await world.startEngine({ rpcUrls: [door.url], config: { ...config, maxRefusals: 2 } })
  await world.enqueue(engine, 1)
  await eventually(
    async () => door.asked('eth_sendRawTransaction'),
    (asked) => asked >= 6,
  )
  expect(await engine.pending(CHAIN_ID)).toBe(1)
  expect(await world.bookings()).toEqual([])
  least = 0n
  expect(await world.settled(1)).toMatchObject([{ status: 'confirmed' }])
})

test('a fee that does not cover the minimum of a node is not exceeded by more than its bound', async () => {
  world = await startBroadcastWorld({ signers: 1 })
  const door = await openDoor(
    LEAST,
    (tip) => `transaction gas price below minimum: gas tip cap ${tip}, minimum needed ${LEAST}`,
  )
  const offered: bigint[] = []
  door.alter('eth_sendRawTransaction', (answer, params) => {
    offered.push(tipOf(params))
    return answer
  })
  const engine = await world.startEngine({ rpcUrls: [door.url], config })
  const gas = 50_000n
  await world.enqueue(engine, 1, { gasLimit: gas, cover: { covered: gas * parseGwei('4'), likelyGas: gas } })
  await eventually(
    async () => door.asked('eth_sendRawTransaction'),
    (asked) => asked >= 4,
  )
  expect(offered).toEqual([])
  expect(await world.bookings()).toEqual([])
})
