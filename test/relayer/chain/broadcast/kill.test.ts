import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { eventually, startBroadcastWorld, type World } from './start-broadcast-world.ts'
import { CHAIN_ID } from './start-engine.ts'

let world: World
afterEach(() => world.stop())

/** Starts the engine in its own process and kills it as soon as `count` transactions have reached the stage. */
async function runUntil(stage: 'signed' | 'sent' | 'mined', count: number): Promise<void> {
  const program = join(import.meta.dirname, 'engine-process.ts')
  const child = spawn(process.execPath, [program, world.databaseUrl, world.node.url, '2'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  const reached = {
    signed: sql.fragment`signer is not null`,
    sent: sql.fragment`status not in ('queued', 'signed')`,
    mined: sql.fragment`mined_hash is not null`,
  }[stage]
  const look = () =>
    world.pool.oneFirst(sql.type(z.object({ count: z.bigint() }))`
      select count(*) from outbound_tx where ${reached}`)
  await eventually(look, (rows) => rows >= count || child.exitCode !== null)
  expect(child.exitCode).toBeNull()
  child.kill('SIGKILL')
  await ended
}

test('20 transactions are each confirmed exactly once although the engine is killed three times', async () => {
  world = await startBroadcastWorld({ signers: 2, args: ['--block-time', '1'] })
  // It cannot reach the chain, so it only writes the queue.
  const enqueuer = await world.startEngine({ signers: 1, rpcUrls: ['http://127.0.0.1:1'] })
  await enqueuer.stop()
  await world.enqueue(enqueuer, 8)
  await runUntil('signed', 1)
  await world.enqueue(enqueuer, 6, {}, 8)
  await runUntil('sent', 10)
  await world.enqueue(enqueuer, 6, {}, 14)
  await runUntil('mined', 15)

  const engine = await world.startEngine({ confirmations: 1 })
  const booked = await world.settled(20)
  await eventually(
    () => engine.pending(CHAIN_ID),
    (pending) => pending === 0,
  )
  await engine.stop()
  expect(booked.map(({ status }) => status)).toEqual(Array(20).fill('confirmed'))
  expect(new Set(booked.map(({ reference }) => reference)).size).toBe(20)
  const mined = await Promise.all([0, 1].map(world.minedFrom))
  for (const line of mined)
    expect(line.map(({ nonce }) => nonce)).toEqual(line.map((_, position) => position))
  const calls = mined.flat().filter(({ input }) => input !== '0x')
  expect(calls.map(({ input }) => Number(input)).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 20 }, (_, index) => index),
  )
})
