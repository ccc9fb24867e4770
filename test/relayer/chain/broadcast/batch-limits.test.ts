import { afterEach, expect, test } from 'vitest'
import { startBatchLimitDoor, type BatchLimitDoor } from '../../../harness/start-batch-limit-door.ts'
import { startBroadcastWorld, type World } from './start-broadcast-world.ts'

let world: World
let door: BatchLimitDoor
afterEach(async () => {
  await world.stop()
  await door.close()
})

test.each([100, 3, 1])(
  '60 transactions of two signers are sent through a node that takes %i calls a batch',
  async (most) => {
    world = await startBroadcastWorld({ signers: 2 })
    door = await startBatchLimitDoor(world.node.url, most)
    const engine = await world.startEngine({ rpcUrls: [door.url], config: { maxPendingPerSigner: 60 } })
    await world.enqueue(engine, 60)
    const booked = await world.settled(60)
    expect(new Set(booked.map(({ status }) => status))).toEqual(new Set(['confirmed']))
    expect(door.largest()).toBeLessThanOrEqual(most)
    expect(engine.signers().every(({ balance, paused }) => balance > 0n && !paused)).toBe(true)
  },
)
