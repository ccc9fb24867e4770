import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { runConcurrently } from '../../../harness/relay-requests.ts'
import { startDoor } from '../../../harness/start-door.ts'
import { makeSentTable, sendOne } from './send-one.ts'
import { startBroadcastWorld, type World } from './start-broadcast-world.ts'

const SIGNERS = 5
/** Long enough that nothing in a test comes about because it ended. */
const LONG = { config: { leaseMs: 600_000 } }
const never = new AbortController().signal

let world: World
beforeEach(async () => {
  world = await startBroadcastWorld({ signers: SIGNERS })
})
afterEach(() => world.stop())

const heldRow = z.object({ owner: z.string().nullable(), held: z.bigint() })
/** How many signers each instance holds, the most first; free ones are under `null`. */
const shares = async () => {
  const rows = await world.pool.any(sql.type(heldRow)`
    select case when lease_until > now() then lease_owner::text end as owner, count(*) as held
    from signer group by 1 order by 2 desc`)
  return rows.map(({ owner, held }) => (owner === null ? null : Number(held)))
}

/** Each call is in one transaction, and each signer's nonces are without a gap. */
async function expectEachMinedOnce(count: number): Promise<void> {
  const lines = await Promise.all(Array.from({ length: SIGNERS }, (_, index) => world.minedFrom(index)))
  for (const line of lines)
    expect(line.map(({ nonce }) => nonce)).toEqual(line.map((_, position) => position))
  const calls = lines
    .flat()
    .filter(({ input }) => input !== '0x')
    .map(({ input }) => Number(input))
  expect(calls.toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, index) => index))
}

test('instances that come get their share of the signers at once, and one that stops hands its share over', async () => {
  const first = await world.startEngine(LONG)
  expect(await shares()).toEqual([5])
  const second = await world.startEngine(LONG)
  await expect.poll(shares).toEqual([3, 2])
  const third = await world.startEngine(LONG)
  await expect.poll(shares).toEqual([2, 2, 1])
  await first.stop()
  await expect.poll(shares).toEqual([3, 2])
  await second.stop()
  await expect.poll(shares).toEqual([5])
  await third.stop()
  expect(await shares()).toEqual([null])
})

test('the signers of several instances mine each send once while shares move', async () => {
  await makeSentTable(world.pool)
  const first = await world.startEngine(LONG)
  const engines = [first]
  const calls = Array.from({ length: 90 }, (_, index) => index)
  await runConcurrently(calls, 6, async (index) => {
    if (index === 20 || index === 40) engines.push(await world.startEngine(LONG))
    if (index === 60) await engines.shift()?.stop()
    const engine = engines[index % engines.length]!
    const id = await sendOne(engine, index)
    // By one that stays: a stopping instance receives no reports any more.
    await engines.at(-1)!.waitUntilSent(id, never)
  })
  await world.settled(90)
  const senders = await Promise.all(Array.from({ length: SIGNERS }, (_, index) => world.minedFrom(index)))
  expect(senders.every((line) => line.length > 0)).toBe(true)
  await expectEachMinedOnce(90)
})

const untilRow = z.object({ until: z.number() })
/** When the first lease ends, in milliseconds of the database's clock. */
const leaseEnds = () =>
  world.pool.oneFirst(sql.type(untilRow)`
    select extract(epoch from min(lease_until))::float8 * 1000 as until from signer`)

test('an instance keeps its leases while its node hangs', async () => {
  const door = await startDoor(world.node.url)
  onTestFinished(() => door.close())
  await world.startEngine({ rpcUrls: [door.url] })
  const held = door.hold(['eth_getTransactionCount'])
  onTestFinished(() => held.letGo())
  await expect.poll(held.waiting).toBeGreaterThan(0)
  const before = await leaseEnds()
  await expect.poll(leaseEnds).toBeGreaterThan(before + 1_500)
  expect(held.givenUp(), 'the same questions wait all the time').toBe(0)
  held.letGo()
})

test('the part of a killed instance is claimed when its leases end, and its sends are sent once', async () => {
  await makeSentTable(world.pool)
  const engine = await world.startEngine()
  const program = join(import.meta.dirname, 'engine-process.ts')
  const args = [world.databaseUrl, world.node.url, String(SIGNERS), '0', '40']
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  await expect.poll(shares).toEqual([3, 2])
  const ofBoth = async () => {
    const lines = await Promise.all(Array.from({ length: SIGNERS }, (_, index) => world.minedFrom(index)))
    return lines.filter((line) => line.length > 0).length
  }
  await expect.poll(ofBoth).toBeGreaterThan(0)
  child.kill('SIGKILL')
  await ended
  await expect.poll(shares).toEqual([5])
  const { count } = await world.pool.one(sql.type(z.object({ count: z.bigint() }))`
    select count(*) from sent_row`)
  await world.settled(Number(count))
  const references = await world.pool.anyFirst(sql.type(z.object({ place: z.int() }))`
    select place from sent_row order by place`)
  const booked = await world.bookings()
  expect(booked.map(({ reference }) => Number(reference)).toSorted((a, b) => a - b)).toEqual(references)
  expect(booked.filter(({ status }) => status !== 'confirmed')).toEqual([])
  await engine.stop()
})
