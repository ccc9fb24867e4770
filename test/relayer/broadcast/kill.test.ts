import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { eventually, startWorld, type World } from './broadcast-world.ts'

let world: World
afterEach(() => world.stop())

/** Starts the engine in a process of its own and ends it with SIGKILL, `afterMs` after it began to work. */
async function runAndKill(signers: number, afterMs: number): Promise<void> {
  const program = join(import.meta.dirname, 'engine-process.ts')
  const child = spawn(process.execPath, [program, world.databaseUrl, world.node.url, String(signers)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), ended])
  expect(child.exitCode).toBeNull()
  await sleep(afterMs)
  child.kill('SIGKILL')
  await ended
}

test('killed three times while it sends 20 transactions: each confirms exactly once, no nonce is left out', async () => {
  world = await startWorld({ signers: 2, args: ['--block-time', '1'] })
  const enqueuer = await world.startEngine({ signers: 1, rpcUrls: ['http://127.0.0.1:1'] })
  await enqueuer.stop()
  await world.enqueue(enqueuer, 8)
  await runAndKill(2, Math.random() * 30)
  await world.enqueue(enqueuer, 6, {}, 8)
  await runAndKill(2, Math.random() * 300)
  await world.enqueue(enqueuer, 6, {}, 14)
  await runAndKill(2, Math.random() * 1_500)

  const engine = await world.startEngine({ confirmations: 1 })
  const booked = await world.settled(20)
  await eventually(
    () => engine.pending(31_337),
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
