import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import type { BroadcastEngine } from '../../../../relayer/chain/broadcast/broadcast-engine.ts'
import { makeSentTable, sendOne } from './send-one.ts'
import { eventually, startBroadcastWorld, type World } from './start-broadcast-world.ts'
import { CHAIN_ID } from './start-engine.ts'

let world: World
beforeEach(async () => {
  world = await startBroadcastWorld({ signers: 2 })
  await makeSentTable(world.pool)
})
afterEach(() => world.stop())

const count = (which: 'sent_row' | 'outbound_tx') =>
  world.pool.oneFirst(sql.type(z.object({ count: z.bigint() }))`
    select count(*) from ${sql.identifier([which])}`)

/** Waits until the instance knows the next nonces of its signers. */
const untilReady = (engine: BroadcastEngine) =>
  eventually(
    () => Promise.resolve(engine.signers()),
    (signers) => signers.every(({ paused }) => !paused),
  )

async function expectLinesWithoutGaps(transactions: number): Promise<void> {
  const lines = await Promise.all([0, 1].map(world.minedFrom))
  for (const line of lines)
    expect(line.map(({ nonce }) => nonce)).toEqual(line.map((_, position) => position))
  const calls = lines.flat().filter(({ input }) => input !== '0x')
  expect(new Set(calls.map(({ input }) => input)).size).toBe(transactions)
  expect(calls.length).toBe(transactions)
}

test('simultaneous sends are mined once each, with a row of their own, and leave no nonce out', async () => {
  const engine = await world.startEngine()
  await untilReady(engine)
  await Promise.all(Array.from({ length: 30 }, (_, index) => sendOne(engine, index)))
  const booked = await world.settled(30)
  expect(booked.map(({ status }) => status)).toEqual(Array(30).fill('confirmed'))
  expect(await count('sent_row')).toBe(30n)
  await expectLinesWithoutGaps(30)
})

test('an idle instance signs a send as it writes it, and never queues it', async () => {
  const engine = await world.startEngine()
  await untilReady(engine)
  await sendOne(engine, 0)
  await world.settled(1)
  await world.pool.query(sql.typeAlias('void')`
    alter table outbound_tx add constraint never_queued check (status <> 'queued') not valid`)
  for (let index = 1; index < 6; index += 1) {
    const isSent = () =>
      sendOne(engine, index).then(
        () => true,
        () => false,
      )
    await eventually(isSent, (sent) => sent)
  }
  await world.settled(6)
  await expectLinesWithoutGaps(6)
})

test('a row that cannot be written leaves no transaction and no gap, whichever sends share its batch', async () => {
  const engine = await world.startEngine()
  await untilReady(engine)
  await sendOne(engine, 0)
  // Each third has the row of the first one, which is taken.
  const results = await Promise.allSettled(
    Array.from({ length: 24 }, (_, index) => sendOne(engine, index + 1, index % 3 === 0 ? 0 : index + 1)),
  )
  expect(results.filter(({ status }) => status === 'rejected').length).toBe(8)
  await world.settled(17)
  expect(await count('outbound_tx')).toBe(17n)
  await expectLinesWithoutGaps(17)
})

test('an instance without a lease writes its sends, and the one with the lease sends them', async () => {
  const first = await world.startEngine()
  await untilReady(first)
  const second = await world.startEngine()
  await Promise.all(
    Array.from({ length: 12 }, (_, index) => sendOne(index % 2 === 0 ? first : second, index)),
  )
  const booked = await world.settled(12)
  expect(booked.map(({ status }) => status)).toEqual(Array(12).fill('confirmed'))
  await expectLinesWithoutGaps(12)
})

test('a lease that ran out unnoticed signs nothing', async () => {
  const engine = await world.startEngine({ config: { leaseMs: 60_000 } })
  await untilReady(engine)
  await world.pool.query(sql.typeAlias('void')`update signer set lease_until = now() - interval '1 second'`)
  await sendOne(engine, 0)
  const statuses = await world.pool.anyFirst(
    sql.type(z.object({ status: z.string() }))`select status from outbound_tx`,
  )
  expect(statuses).toEqual(['queued'])
  await world.pool.query(sql.typeAlias('void')`update signer set lease_until = now() + interval '1 minute'`)
  engine.wake(CHAIN_ID)
  await world.settled(1)
  await expectLinesWithoutGaps(1)
})

test('rows written before a kill are mined once each, and unwritten sends leave no trace', async () => {
  const program = join(import.meta.dirname, 'engine-process.ts')
  for (const [run, stage] of (['signed', 'sent', 'mined'] as const).entries()) {
    const child = spawn(
      process.execPath,
      [program, world.databaseUrl, world.node.url, '2', String(run * 100), '40'],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    )
    const ended = once(child, 'exit')
    const reached = {
      signed: sql.fragment`signer is not null`,
      sent: sql.fragment`status not in ('queued', 'signed')`,
      mined: sql.fragment`mined_hash is not null`,
    }[stage]
    const look = () =>
      world.pool.oneFirst(sql.type(z.object({ count: z.bigint() }))`
        select count(*) from outbound_tx where ${reached} and reference::int >= ${run * 100}`)
    await eventually(look, (rows) => rows >= 3n || child.exitCode !== null)
    expect(child.exitCode).toBeNull()
    child.kill('SIGKILL')
    await ended
  }
  const engine = await world.startEngine({ confirmations: 1 })
  const mining = setInterval(() => void world.node.ask('anvil_mine', '0x1'), 100)
  const written = Number(await count('sent_row'))
  const booked = await world.settled(written).finally(() => clearInterval(mining))
  await eventually(
    () => engine.pending(CHAIN_ID),
    (pending) => pending === 0,
  )
  await engine.stop()
  expect(booked.map(({ status }) => status)).toEqual(Array(written).fill('confirmed'))
  expect(new Set(booked.map(({ reference }) => reference)).size).toBe(written)
  await expectLinesWithoutGaps(written)
})
