import { toHex } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { smallInteger } from '../../../../db/column-types.ts'
import { sql } from '../../../../db/connect-database.ts'
import { eventually, startBroadcastWorld, type World } from './start-broadcast-world.ts'
import { startNodeDoor, type NodeDoor } from './start-node-door.ts'

let world: World
let door: NodeDoor
let secondDoor: NodeDoor | null = null
afterEach(async () => {
  await world.stop()
  await door.close()
  await secondDoor?.close()
  secondDoor = null
})

async function startBehindDoor(...args: string[]) {
  world = await startBroadcastWorld({ signers: 1, args })
  door = await startNodeDoor(world.node.url)
}

const never = new AbortController().signal
const raise = (by: number) => (answer: unknown) => toHex(Number(answer) + by)
const nonces = async () => (await world.minedFrom(0)).map(({ nonce }) => nonce)
const unfinished = () =>
  world.pool.any(sql.type(z.object({ kind: z.string(), txNonce: smallInteger }))`
    select kind, tx_nonce as "txNonce" from outbound_tx where status in ('signed', 'sent') order by tx_nonce`)
/** Waits until the signer's nonce was read this many more times. */
const looks = async (count: number) => {
  const before = door.asked('eth_getTransactionCount')
  await eventually(
    async () => door.asked('eth_getTransactionCount'),
    (asked) => asked >= before + 2 * count,
  )
}

test.each([
  ['20, from the only node', 20, false],
  ['1,000, from the only node', 1_000, false],
  ['5, from one node of two', 5, true],
  ['1,000, from one node of two', 1_000, true],
])('a pending count that is too high by %s moves no nonce', async (_, by, hasSecond) => {
  await startBehindDoor()
  door.alter('eth_getTransactionCount', (answer, [, block]) =>
    block === 'pending' ? raise(by)(answer) : answer,
  )
  const engine = await world.startEngine({
    rpcUrls: hasSecond ? [door.url, world.node.url] : [door.url],
  })
  const [id] = await world.enqueue(engine, 1)
  await engine.waitUntilSent(id ?? '', never)
  await world.enqueue(engine, 2, {}, 1)
  await world.settled(3)
  expect(await nonces()).toEqual([0, 1, 2])
})

test('a count of mined transactions that one node alone gives moves no nonce either', async () => {
  await startBehindDoor()
  door.alter('eth_getTransactionCount', raise(7))
  const engine = await world.startEngine({ rpcUrls: [door.url, world.node.url] })
  await world.enqueue(engine, 3)
  await world.settled(3)
  expect(await nonces()).toEqual([0, 1, 2])
})

test('all gaps below nonces that were assigned too high are filled in one round', async () => {
  await startBehindDoor('--no-mining')
  const engine = await world.startEngine({ rpcUrls: [door.url] })
  await looks(1)
  await world.pool.query(sql.typeAlias('void')`update signer set next_tx_nonce = 12`)
  const ids = await world.enqueue(engine, 2)
  await Promise.all(ids.map((id) => engine.waitUntilSent(id, never)))
  const all = await eventually(unfinished, (rows) => rows.length > 2)
  expect(all.map(({ txNonce }) => txNonce)).toEqual(Array.from({ length: 14 }, (_, nonce) => nonce))
  await eventually(
    () => world.node.ask<{ pending: string }>('txpool_status'),
    ({ pending }) => Number(pending) === 14,
  )
  await world.node.ask('evm_mine')
  await world.settled(2)
  expect(await nonces()).toHaveLength(14)
})

test('the next nonce is lowered when nonces were assigned too high and used by nothing', async () => {
  await startBehindDoor()
  const engine = await world.startEngine({ rpcUrls: [door.url], config: { resendAfterMs: 300 } })
  await looks(1)
  await world.pool.query(sql.typeAlias('void')`update signer set next_tx_nonce = 1000`)
  await eventually(
    () =>
      world.pool.oneFirst(
        sql.type(z.object({ next: smallInteger }))`select next_tx_nonce as next from signer`,
      ),
    (next) => next === 0,
  )
  await world.enqueue(engine, 1)
  await world.settled(1)
  expect(await nonces()).toEqual([0])
})

test('a lagging first node that sees no funds does not stop the sends', async () => {
  await startBehindDoor()
  door.alter('eth_getBalance', () => '0x1')
  door.refuse('eth_sendRawTransaction', {
    code: -32_000,
    message: 'insufficient funds for gas * price + value: balance 1, tx cost 21000, overshot 20999',
  })
  const engine = await world.startEngine({ rpcUrls: [door.url, world.node.url] })
  await world.enqueue(engine, 3)
  const booked = await world.settled(3)
  expect(booked.map(({ status }) => status)).toEqual(['confirmed', 'confirmed', 'confirmed'])
  expect(engine.signers()).toMatchObject([{ paused: false }])
})

test('a transaction keeps its nonce when a proxy refuses for its own reasons, and is sent later', async () => {
  await startBehindDoor()
  door.refuse('eth_sendRawTransaction', { code: 35, message: 'method is not available on freetier' })
  const engine = await world.startEngine({ rpcUrls: [door.url], config: { resendAfterMs: 200 } })
  await world.enqueue(engine, 2)
  await looks(2)
  expect(await unfinished()).toMatchObject([
    { kind: 'test', txNonce: 0 },
    { kind: 'test', txNonce: 1 },
  ])
  door.refuse('eth_sendRawTransaction')
  const booked = await world.settled(2)
  expect(booked.map(({ status }) => status)).toEqual(['confirmed', 'confirmed'])
  expect(await nonces()).toEqual([0, 1])
})

test('a transaction keeps its nonce when one node wrongly calls it used', async () => {
  await startBehindDoor('--no-mining')
  await world.node.ask('anvil_mine', '0x3')
  const engine = await world.startEngine({
    rpcUrls: [door.url, world.node.url],
    config: { resendAfterMs: 200 },
  })
  const [id] = await world.enqueue(engine, 1)
  await engine.waitUntilSent(id ?? '', never)
  door.alter('eth_getTransactionCount', () => '0x1')
  await looks(4)
  expect(await unfinished()).toMatchObject([{ kind: 'test', txNonce: 0 }])
  door.alter('eth_getTransactionCount')
  await world.node.ask('evm_mine')
  expect(await world.settled(1)).toMatchObject([{ status: 'confirmed' }])
  expect(await nonces()).toEqual([0])
})

test('three transactions of which the first node shows no receipt are confirmed by the second, which is asked seldom', async () => {
  await startBehindDoor()
  secondDoor = await startNodeDoor(world.node.url)
  door.alter('eth_getTransactionReceipt', () => null)
  const engine = await world.startEngine({
    rpcUrls: [door.url, secondDoor.url],
    config: { resendAfterMs: 200 },
  })
  await world.enqueue(engine, 3)
  const booked = await world.settled(3)
  expect(booked.map(({ status }) => status)).toEqual(['confirmed', 'confirmed', 'confirmed'])
  expect(await nonces()).toEqual([0, 1, 2])
  expect(secondDoor.asked('eth_getTransactionReceipt')).toBeLessThan(30)
})

test('while no node shows receipts, the nodes are not flooded with questions for them', async () => {
  await startBehindDoor()
  secondDoor = await startNodeDoor(world.node.url)
  for (const each of [door, secondDoor]) each.alter('eth_getTransactionReceipt', () => null)
  const engine = await world.startEngine({
    rpcUrls: [door.url, secondDoor.url],
    config: { resendAfterMs: 2_000 },
  })
  await world.enqueue(engine, 3)
  for (let count = 0; count < 40; count += 1) {
    await looks(1)
    await world.node.ask('evm_mine')
  }
  expect(await nonces()).toEqual([0, 1, 2])
  const [own, beside] = [door, secondDoor].map((each) => each.asked('eth_getTransactionReceipt'))
  expect(beside).toBeLessThan(own! / 2)
  for (const each of [door, secondDoor]) each.alter('eth_getTransactionReceipt')
  expect(await world.settled(3)).toMatchObject([{ status: 'confirmed' }, {}, {}])
})

test('the receipt of a block that is gone does not hide the one of the second node', async () => {
  await startBehindDoor()
  door.alter('eth_getTransactionReceipt', (receipt) =>
    receipt ? { ...receipt, blockHash: `0x${'ab'.repeat(32)}` } : null,
  )
  const engine = await world.startEngine({ rpcUrls: [door.url, world.node.url] })
  await world.enqueue(engine, 1)
  expect(await world.settled(1)).toMatchObject([{ status: 'confirmed' }])
})

test('a receipt of a block that no node shows holds no other transaction', async () => {
  await startBehindDoor()
  await world.node.ask('anvil_mine', '0x3')
  const engine = await world.startEngine({ rpcUrls: [door.url] })
  let hidden: unknown = null
  door.alter('eth_getBlockByNumber', (block, [number]) => (number === '0x4' ? null : block))
  door.alter('eth_getTransactionReceipt', (receipt) => (hidden ??= receipt))
  await world.enqueue(engine, 1)
  await eventually(unfinished, (rows) => rows.length === 1 && hidden !== null)
  door.alter('eth_getTransactionReceipt')
  await world.enqueue(engine, 1, {}, 1)
  await world.settled(1)
  door.alter('eth_getBlockByNumber')
  await world.settled(2)
})

test('an only node that shows no receipts has nothing sent twice', async () => {
  await startBehindDoor('--no-mining')
  door.alter('eth_getTransactionReceipt', () => null)
  const engine = await world.startEngine({ rpcUrls: [door.url], config: { resendAfterMs: 200 } })
  const [id] = await world.enqueue(engine, 1)
  await engine.waitUntilSent(id ?? '', never)
  await world.node.ask('anvil_mine', '0x3')
  await looks(4)
  await world.node.ask('anvil_mine', '0x3')
  expect(await nonces()).toEqual([0])
  expect(await unfinished()).toMatchObject([{ kind: 'test', txNonce: 0 }])
  door.alter('eth_getTransactionReceipt')
  expect(await world.settled(1)).toMatchObject([{ status: 'confirmed' }])
})

test('a transaction that nodes refused, and took later without a word, is sent once', async () => {
  await startBehindDoor('--no-mining')
  secondDoor = await startNodeDoor(world.node.url)
  const doors = [door, secondDoor]
  for (const each of doors)
    each.refuse('eth_sendRawTransaction', { code: -32_000, message: 'txpool is full' })
  const engine = await world.startEngine({
    rpcUrls: doors.map(({ url }) => url),
    config: { resendAfterMs: 200 },
  })
  await world.enqueue(engine, 1)
  await eventually(unfinished, ([row]) => row?.txNonce === 0)
  await looks(2)
  for (const each of doors) {
    each.alter('eth_sendRawTransaction', () => ({ code: -32_000, message: 'upstream request timed out' }))
    each.refuse('eth_sendRawTransaction')
  }
  door.alter('eth_getTransactionReceipt', () => null)
  await eventually(
    () => world.node.ask<{ pending: string }>('txpool_status'),
    ({ pending }) => Number(pending) === 1,
  )
  await world.node.ask('anvil_mine', '0x3')
  await looks(4)
  await world.node.ask('anvil_mine', '0x3')
  expect(await nonces()).toEqual([0])
  door.alter('eth_getTransactionReceipt')
  expect(await world.settled(1)).toMatchObject([{ status: 'confirmed' }])
})
