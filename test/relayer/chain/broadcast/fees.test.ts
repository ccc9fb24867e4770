import { parseGwei, toHex } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { eventually, startBroadcastWorld, type World } from './start-broadcast-world.ts'
import { CHAIN_ID } from './start-engine.ts'
import { startNodeDoor, type NodeDoor } from './start-node-door.ts'

let world: World
let door: NodeDoor | null = null
afterEach(async () => {
  await world.stop()
  await door?.close()
  door = null
})

const never = new AbortController().signal
const attemptRow = z.object({ hash: z.string(), fee: z.bigint(), tip: z.bigint() })

const attempts = () =>
  world.pool.any(sql.type(attemptRow)`
    select hash, max_fee_per_gas as fee, max_priority_fee_per_gas as tip from outbound_attempt order by created_at`)

test('a transaction below the market price is replaced at a higher price until it is mined once', async () => {
  world = await startBroadcastWorld({
    signers: 1,
    args: ['--no-mining', '--block-base-fee-per-gas', '1000000000'],
  })
  const engine = await world.startEngine({ config: { bumpAfterMs: 300, maxBumps: 2, resendAfterMs: 300 } })
  const hashes = new Set<string>()
  engine.subscribe(({ progress }) => progress.status === 'sent' && hashes.add(progress.hash))
  const [id] = await world.enqueue(engine, 1)
  await engine.waitUntilSent(id ?? '', never)
  // The base fee rises above the first offer, so the next blocks do not include it.
  await world.node.ask('anvil_setNextBlockBaseFeePerGas', toHex(parseGwei('20')))
  await world.node.ask('evm_mine')
  const offers = await eventually(attempts, (rows) => rows.at(-1)!.fee > parseGwei('20'))
  for (const [index, { fee, tip }] of offers.slice(1).entries()) {
    expect(fee * 1_000n).toBeGreaterThanOrEqual(offers[index]!.fee * 1_125n)
    expect(tip * 1_000n).toBeGreaterThanOrEqual(offers[index]!.tip * 1_125n)
  }
  await eventually(
    async () => hashes.size,
    (size) => size >= 2,
  )
  await world.node.ask('evm_mine')
  const [booked] = await world.settled(1)
  expect(booked?.status).toBe('confirmed')
  expect(hashes).toContain(booked?.hash)
  expect(await world.minedFrom(0)).toHaveLength(1)
})

test('sent and waiting transactions go through after a gas spike above the cap', async () => {
  world = await startBroadcastWorld({
    signers: 1,
    args: ['--no-mining', '--block-base-fee-per-gas', '1000000000'],
  })
  const maxGasPrice = parseGwei('10')
  const engine = await world.startEngine({
    maxGasPrice,
    config: { bumpAfterMs: 100, maxBumps: 2, resendAfterMs: 200 },
  })
  const [before] = await world.enqueue(engine, 1)
  await engine.waitUntilSent(before ?? '', never)
  const spike = async (gwei: string) => {
    await world.node.ask('anvil_setNextBlockBaseFeePerGas', toHex(parseGwei(gwei)))
    await world.node.ask('evm_mine')
  }
  await spike('500')
  await world.enqueue(engine, 2, {}, 1)
  await spike('600')
  // A node under pressure drops it from its pool.
  await world.node.ask('anvil_dropAllTransactions')
  await spike('700')
  expect(await engine.pending(CHAIN_ID)).toBe(3)
  expect(await world.nonceOf(0)).toBe(0)

  await spike('2')
  const mining = setInterval(() => void spike('2').catch(() => undefined), 300)
  try {
    const booked = await world.settled(3)
    expect(booked.map(({ status }) => status)).toEqual(['confirmed', 'confirmed', 'confirmed'])
  } finally {
    clearInterval(mining)
  }
  for (const { fee } of await attempts()) expect(fee).toBeLessThanOrEqual(maxGasPrice)
  expect((await world.minedFrom(0)).map(({ nonce }) => nonce)).toEqual([0, 1, 2])
})

test('a rise of the tip alone raises a transaction again, however often it was raised before', async () => {
  world = await startBroadcastWorld({
    signers: 1,
    args: ['--no-mining', '--block-base-fee-per-gas', '1000000000'],
  })
  door = await startNodeDoor(world.node.url)
  door.alter('eth_maxPriorityFeePerGas', () => toHex(parseGwei('1')))
  const config = { bumpAfterMs: 100, maxBumps: 2, resendAfterMs: 200 }
  const engine = await world.startEngine({ rpcUrls: [door.url], config })
  const [id] = await world.enqueue(engine, 1)
  await engine.waitUntilSent(id ?? '', never)
  await eventually(attempts, (rows) => rows.length === 1 + config.maxBumps)
  door.alter('eth_maxPriorityFeePerGas', () => toHex(parseGwei('5')))
  await expect.poll(async () => (await attempts()).at(-1)?.tip).toBeGreaterThanOrEqual(parseGwei('5'))
  await world.node.ask('evm_mine')
  expect(await world.settled(1)).toMatchObject([{ status: 'confirmed' }])
})

test("waiting times are measured by the database's clock", async () => {
  world = await startBroadcastWorld({
    signers: 1,
    args: ['--no-mining', '--block-base-fee-per-gas', '1000000000'],
  })
  const engine = await world.startEngine({
    config: { bumpAfterMs: 200, maxBumps: 1, resendAfterMs: 200 },
    clock: () => Date.now() - 3_600_000,
  })
  const [id] = await world.enqueue(engine, 1)
  await engine.waitUntilSent(id ?? '', never)
  await expect.poll(async () => (await attempts()).length).toBe(2)
})

/** A fee that pays for the gas of a test's call at 2 gwei. */
const COVER = { covered: 50_000n * parseGwei('2'), likelyGas: 50_000n }

test('a transaction that its fee does not cover waits without holding up others, and is sent once gas is cheap', async () => {
  world = await startBroadcastWorld({
    signers: 1,
    args: ['--no-mining', '--block-base-fee-per-gas', '20000000000'],
  })
  const engine = await world.startEngine()
  const [waiting] = await world.enqueue(engine, 1, { cover: COVER })
  const [other] = await world.enqueue(engine, 1, {}, 1)
  await engine.waitUntilSent(other ?? '', never)
  expect(await attempts()).toHaveLength(1)
  await world.node.ask('evm_mine')
  // As after a crash: the next instance finds it in the queue.
  await engine.stop()
  const next = await world.startEngine()
  await world.enqueue(next, 1, {}, 2)
  await eventually(attempts, (rows) => rows.length === 2)

  await world.node.ask('anvil_setNextBlockBaseFeePerGas', toHex(parseGwei('1')))
  await world.node.ask('evm_mine')
  await next.waitUntilSent(waiting ?? '', never)
  const own = (await attempts()).at(-1)!
  expect(own.fee).toBeLessThanOrEqual(parseGwei('4'))
  await world.node.ask('evm_mine')
  expect((await world.settled(3)).map(({ status }) => status)).toEqual([
    'confirmed',
    'confirmed',
    'confirmed',
  ])
})

test("no form of a transaction costs twice its fee's cover; the first in line that is priced out makes room", async () => {
  world = await startBroadcastWorld({
    signers: 1,
    args: ['--no-mining', '--block-base-fee-per-gas', '1000000000'],
  })
  const engine = await world.startEngine({
    config: { bumpAfterMs: 100, resendAfterMs: 200, reviewAfterMs: 1_000 },
  })
  const [bounded] = await world.enqueue(engine, 1, { cover: COVER })
  await engine.waitUntilSent(bounded ?? '', never)
  const [behind] = await world.enqueue(engine, 1, {}, 1)
  await engine.waitUntilSent(behind ?? '', never)
  const spike = async () => {
    await world.node.ask('anvil_setNextBlockBaseFeePerGas', toHex(parseGwei('20')))
    await world.node.ask('evm_mine')
  }
  await spike()
  const mining = setInterval(() => void spike().catch(() => undefined), 300)
  try {
    await world.settled(2)
  } finally {
    clearInterval(mining)
  }
  const [first, second] = await world.minedFrom(0)
  expect(first?.input).toBe('0x')
  expect(second?.input).not.toBe('0x')
  const ofCall = await world.pool.any(sql.type(attemptRow)`
    select hash, max_fee_per_gas as fee, max_priority_fee_per_gas as tip from outbound_attempt
    where outbound_id = ${bounded ?? ''}::uuid and hash <> ${first?.hash ?? ''} order by created_at`)
  expect(ofCall[0]!.fee).toBeLessThanOrEqual(parseGwei('4'))
})
