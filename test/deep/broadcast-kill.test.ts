import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import {
  eventually,
  startBroadcastWorld,
  type World,
} from '../relayer/chain/broadcast/start-broadcast-world.ts'
import { CHAIN_ID } from '../relayer/chain/broadcast/start-engine.ts'

const KILLS = 10
const TRANSACTIONS = 60
const SIGNERS = 3

let world: World
afterEach(() => world.stop())

/** Runs an engine in its own process and kills it after a random time. */
async function runAndKill(): Promise<void> {
  const program = new URL('../relayer/chain/broadcast/engine-process.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [program, world.databaseUrl, world.node.url, String(SIGNERS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  await sleep(randomInt(50, 2_500))
  expect(child.exitCode).toBeNull()
  child.kill('SIGKILL')
  await ended
}

test('60 transactions are each confirmed exactly once although the engine is killed ten times', async () => {
  world = await startBroadcastWorld({ signers: SIGNERS, args: ['--block-time', '1'] })
  // It cannot reach the chain, so it only writes the queue.
  const enqueuer = await world.startEngine({ signers: 1, rpcUrls: ['http://127.0.0.1:1'] })
  await enqueuer.stop()
  const share = TRANSACTIONS / KILLS
  for (let kill = 0; kill < KILLS; kill += 1) {
    await world.enqueue(enqueuer, share, {}, kill * share)
    await runAndKill()
  }

  const engine = await world.startEngine({ confirmations: 1 })
  const booked = await world.settled(TRANSACTIONS)
  await eventually(
    () => engine.pending(CHAIN_ID),
    (pending) => pending === 0,
  )
  await engine.stop()
  expect(booked.map(({ status }) => status)).toEqual(Array(TRANSACTIONS).fill('confirmed'))
  expect(new Set(booked.map(({ reference }) => reference)).size).toBe(TRANSACTIONS)
  const mined = await Promise.all(Array.from({ length: SIGNERS }, (_, index) => world.minedFrom(index)))
  for (const line of mined)
    expect(line.map(({ nonce }) => nonce)).toEqual(line.map((_, position) => position))
  const calls = mined.flat().filter(({ input }) => input !== '0x')
  expect(calls.map(({ input }) => Number(input)).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: TRANSACTIONS }, (_, index) => index),
  )
})
