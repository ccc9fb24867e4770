import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../db/connect-database.ts'
import { eventually, startBroadcastWorld, type World } from './start-broadcast-world.ts'
import { CHAIN_ID } from './start-engine.ts'

let world: World
beforeEach(async () => {
  world = await startBroadcastWorld({ signers: 1 })
})
afterEach(() => world.stop())

const countTransactions = () =>
  world.pool.oneFirst(sql.type(z.object({ count: z.bigint() }))`
    select count(distinct xmin::text) as count from booking`)

/** Mines all of them in one block, so that one poll finds all their receipts. */
async function mineInOneBlock(count: number, atOnce: number): Promise<void> {
  await world.node.ask('evm_setAutomine', false)
  const engine = await world.startEngine({ settledAtOnce: atOnce, confirmations: 0 })
  const ids = await world.enqueue(engine, count)
  await Promise.all(ids.map((id) => engine.waitUntilSent(id, new AbortController().signal)))
  await world.node.ask('evm_mine')
}

test('transactions that become final together are booked in as few database transactions as possible', async () => {
  await mineInOneBlock(7, 3)
  const booked = await world.settled(7)
  expect(booked.map(({ status }) => status)).toEqual(Array(7).fill('confirmed'))
  expect(await countTransactions()).toBe(3n)
})

test('one failed booking does not block the others and is repeated', async () => {
  await world.pool.query(sql.typeAlias('void')`
    alter table booking add constraint refused check (reference <> '2')`)
  await mineInOneBlock(5, 8)
  const booked = await world.settled(4)
  expect(booked.map(({ reference }) => reference)).toEqual(['0', '1', '3', '4'])
  const left = z.object({ status: z.string() })
  expect(
    await world.pool.any(sql.type(left)`
      select status from outbound_tx where chain_id = ${CHAIN_ID} and settled_at is null`),
  ).toEqual([{ status: 'sent' }])

  await world.pool.query(sql.typeAlias('void')`alter table booking drop constraint refused`)
  await world.node.ask('evm_mine')
  const all = await eventually(world.bookings, (rows) => rows.length >= 5)
  expect(all.map(({ reference, status }) => [reference, status])).toEqual(
    ['0', '1', '2', '3', '4'].map((reference) => [reference, 'confirmed']),
  )
})
