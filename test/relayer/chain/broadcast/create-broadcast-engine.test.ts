import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { OutboundProgress } from '../../../../relayer/chain/broadcast/broadcast-engine.ts'
import { countRpc } from '../../../harness/count-rpc.ts'
import { startBroadcastWorld, type World } from './start-broadcast-world.ts'
import { CHAIN_ID, signerAddress } from './start-engine.ts'

let world: World
beforeEach(async () => {
  world = await startBroadcastWorld({ signers: 3 })
})
afterEach(() => world.stop())

const never = new AbortController().signal

test('40 transactions go through 3 signers at once, each is mined once, and no nonce is left out', async () => {
  const engine = await world.startEngine({ confirmations: 2 })
  const ids = await world.enqueue(engine, 40)
  const sent = await Promise.all(ids.map((id) => engine.waitUntilSent(id, never)))
  expect(sent.map(({ status }) => status)).not.toContain('abandoned')
  // The last transaction may be mined in any block, so blocks follow until all transactions have two confirmations.
  const mining = setInterval(() => void world.node.ask('anvil_mine', '0x1'), 100)
  const booked = await world.settled(40).finally(() => clearInterval(mining))

  expect(booked.map(({ status }) => status)).toEqual(Array(40).fill('confirmed'))
  const mined = (await Promise.all([0, 1, 2].map(world.minedFrom))).flat()
  expect(new Set(booked.map(({ hash }) => hash))).toEqual(new Set(mined.map(({ hash }) => hash)))
  expect(new Set(mined.map(({ input }) => BigInt(input))).size).toBe(40)
  for (const index of [0, 1, 2]) {
    const nonces = (await world.minedFrom(index)).map(({ nonce }) => nonce)
    expect(nonces.length).toBeGreaterThan(5)
    expect(nonces).toEqual(nonces.map((_, position) => position))
  }
  expect(await engine.pending(CHAIN_ID)).toBe(0)
})

test("the booked fee is the signer's payment, to the wei", async () => {
  const engine = await world.startEngine({ signers: 1 })
  const before = BigInt(await world.node.ask('eth_getBalance', signerAddress(0), 'latest'))
  await world.enqueue(engine, 1, { value: 7n })
  const [booked] = await world.settled(1)
  const after = BigInt(await world.node.ask('eth_getBalance', signerAddress(0), 'latest'))
  expect(before - after).toBe((booked?.fee ?? 0n) + 7n)
})

test('a transaction that reverts is settled as reverted, with the fee that it cost', async () => {
  const reverting = '0x3000000000000000000000000000000000000003'
  await world.node.ask('anvil_setCode', reverting, '0x60006000fd')
  const engine = await world.startEngine()
  const seen: OutboundProgress[] = []
  engine.subscribe(({ kind, reference, progress }) => {
    expect([kind, reference]).toEqual(['test', '0'])
    seen.push(progress)
  })
  await world.enqueue(engine, 1, { to: reverting })
  const [booked] = await world.settled(1)
  expect(booked).toMatchObject({ status: 'reverted', reason: null })
  expect(booked?.fee).toBeGreaterThan(0n)
  // On a busy machine the sending may be reported twice: by the node's answer and by the watcher.
  await expect.poll(() => [...new Set(seen.map(({ status }) => status))]).toEqual(['sent', 'reverted'])
})

test('a transaction is given to the node once, and none with another in one request', async () => {
  const counter = await countRpc(world.node.url)
  try {
    const engine = await world.startEngine({ rpcUrls: [counter.url], config: { resendAfterMs: 60_000 } })
    const sends = () =>
      counter
        .take()
        .map((trip) => trip.filter((method) => method === 'eth_sendRawTransaction'))
        .filter((trip) => trip.length > 0)
    const [single] = await world.enqueue(engine, 1)
    await engine.waitUntilSent(single ?? '', never)
    await world.settled(1)
    expect(sends()).toEqual([['eth_sendRawTransaction']])
    await world.enqueue(engine, 12, {}, 1)
    await world.settled(13)
    expect(sends()).toEqual(Array.from({ length: 12 }, () => ['eth_sendRawTransaction']))
  } finally {
    await counter.close()
  }
})

test('after the retention time only hashes and amounts of a settled transaction remain', async () => {
  const engine = await world.startEngine({ config: { retainMs: 0 } })
  await world.enqueue(engine, 2)
  await world.settled(2)
  const secrets = () =>
    world.pool.oneFirst(sql.type(z.object({ count: z.bigint() }))`
      select (select count(*) from outbound_tx where data is not null)
        + (select count(*) from outbound_attempt where raw is not null) as count`)
  await expect.poll(secrets).toBe(0n)
})

test('a reference can be queued once', async () => {
  const engine = await world.startEngine()
  await world.enqueue(engine, 1)
  await expect(world.enqueue(engine, 1)).rejects.toThrow(/unique|duplicate|constraint/i)
})

test('waiting for progress ends with the reason of the abort signal', async () => {
  const engine = await world.startEngine({ signers: 1, maxGasPrice: 1n })
  const [id] = await world.enqueue(engine, 1)
  await expect(engine.waitUntilSent(id ?? '', AbortSignal.timeout(50))).rejects.toThrow(/timeout/i)
  expect(await engine.pending(CHAIN_ID)).toBe(1)
})

test("two instances never share a signer, send each transaction once, and see each other's progress", async () => {
  const first = await world.startEngine()
  const second = await world.startEngine()
  const ids = [...(await world.enqueue(first, 15)), ...(await world.enqueue(second, 15, {}, 15))]
  await Promise.all(ids.map((id) => second.waitUntilSent(id, never)))
  await world.settled(30)
  expect(second.simulationSender(CHAIN_ID, 'sends')).not.toBeNull()
  await first.stop()
  await world.enqueue(second, 10, {}, 30)
  const booked = await world.settled(40)
  expect(booked.filter(({ status }) => status === 'confirmed')).toHaveLength(40)
  const mined = (await Promise.all([0, 1, 2].map(world.minedFrom))).flat()
  expect(mined).toHaveLength(40)
})
