import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { eventually, startBroadcastWorld, type World } from './start-broadcast-world.ts'

let world: World
afterEach(() => world.stop())

const never = new AbortController().signal

const minedHashes = async () => {
  const row = z.object({ minedHash: z.string().nullable() })
  const rows = await world.pool.any(sql.type(row)`select mined_hash as "minedHash" from outbound_tx`)
  return rows.flatMap(({ minedHash }) => minedHash ?? [])
}

test('transactions that a reorg removed are sent again and booked once', async () => {
  world = await startBroadcastWorld({ signers: 2 })
  const engine = await world.startEngine({ confirmations: 4, config: { resendAfterMs: 60_000 } })
  await world.node.ask('anvil_mine', '0x5')
  const ids = await world.enqueue(engine, 4)
  await Promise.all(ids.map((id) => engine.waitUntilSent(id, never)))
  await eventually(minedHashes, (hashes) => hashes.length === 4)
  const blocks = Number(await world.node.ask('eth_blockNumber'))
  // Without automine, the sends that follow at once stay unmined.
  await world.node.ask('evm_setAutomine', false)
  await world.node.ask('anvil_reorg', blocks - 5, [])
  expect([await world.nonceOf(0), await world.nonceOf(1)]).toEqual([0, 0])
  await world.node.ask('evm_setAutomine', true)
  await eventually(
    async () => {
      await world.node.ask('evm_mine')
      return (await world.nonceOf(0)) + (await world.nonceOf(1))
    },
    (count) => count === 4,
  )
  await world.node.ask('anvil_mine', '0x5')
  const booked = await world.settled(4)
  await world.node.ask('anvil_mine', '0x5')
  await engine.stop()
  expect(booked.map(({ status }) => status)).toEqual(Array(4).fill('confirmed'))
  expect(await world.bookings()).toHaveLength(4)
})

test('settled transactions that a chain lost are sent again before new ones', async () => {
  world = await startBroadcastWorld({ signers: 1 })
  const engine = await world.startEngine({ config: { resendAfterMs: 200 } })
  await world.node.ask('anvil_mine', '0x2')
  const snapshot = await world.node.ask('evm_snapshot')
  await world.enqueue(engine, 3)
  await world.settled(3)
  await world.node.ask('evm_revert', snapshot)
  expect(await world.nonceOf(0)).toBe(0)
  await world.enqueue(engine, 2, {}, 3)
  const booked = await world.settled(5)
  expect(booked.map(({ status }) => status)).toEqual(Array(5).fill('confirmed'))
  const mined = await world.minedFrom(0)
  expect(mined.map(({ nonce, input }) => [nonce, Number(input)])).toEqual([0, 1, 2, 3, 4].map((n) => [n, n]))
})
