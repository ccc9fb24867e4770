import { afterEach, expect, test } from 'vitest'
import { startBroadcastWorld, type World } from './start-broadcast-world.ts'
import { startNodeDoor, type NodeDoor } from './start-node-door.ts'

let world: World
const doors: NodeDoor[] = []
afterEach(async () => {
  await world.stop()
  await Promise.all(doors.splice(0).map((door) => door.close()))
})

const SENDING = 'eth_sendRawTransaction'

test('with private endpoints no node is shown a transaction before it is mined, even while they are silent', async () => {
  world = await startBroadcastWorld({ signers: 1 })
  const [open, hidden] = await Promise.all([startNodeDoor(world.node.url), startNodeDoor(world.node.url)])
  doors.push(open, hidden)
  hidden.refuse(SENDING, { code: -32005, message: 'come again later' })
  const engine = await world.startEngine({
    rpcUrls: [open.url],
    privateRpcUrls: [hidden.url],
    config: { resendAfterMs: 100 },
  })
  await world.enqueue(engine, 3)
  await expect.poll(() => hidden.asked(SENDING)).toBeGreaterThan(3)
  expect(await world.nonceOf(0)).toBe(0)
  hidden.refuse(SENDING)
  const bookings = await world.settled(3)
  expect(bookings.map(({ status }) => status)).toEqual(['confirmed', 'confirmed', 'confirmed'])
  expect(open.asked(SENDING)).toBe(0)
  expect(open.asked('eth_getTransactionReceipt')).toBeGreaterThan(0)
})
