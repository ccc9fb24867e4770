import { afterAll, beforeAll, expect, it } from 'vitest'
import { Registry } from 'prom-client'
import { registerOrderFigures } from '../../../../gateway/observation/order-figures.ts'
import { readOrdersOverview } from '../../../../relayer/transact/orders/orders-overview.ts'
import { reviewOrders } from '../../../../relayer/transact/orders/review-orders.ts'
import { openTestDatabase, type TestDatabase } from '../../../harness/open-test-database.ts'
import {
  DEPOSIT_BLOCK,
  DESTINATION,
  fillOrders,
  ORIGIN,
  reachBlock,
  seedOrders,
  type OpenOrder,
} from './seed-orders.ts'

const chains = [ORIGIN, DESTINATION].map((chainId) => ({ chainId, confirmations: 2 }))
const route = { originChainId: ORIGIN, destinationChainId: DESTINATION }
let database: TestDatabase
let orders: OpenOrder[]
let late: OpenOrder[]
beforeAll(async () => {
  database = await openTestDatabase()
  late = await seedOrders(database.pool, 10, 1_200)
  orders = await seedOrders(database.pool, 10)
  for (const chainId of [ORIGIN, DESTINATION]) await reachBlock(database.pool, chainId, DEPOSIT_BLOCK + 2n)
  await review()
})
afterAll(() => database?.drop())

const review = () =>
  reviewOrders(
    database.pool,
    chains,
    [...late, ...orders].map(({ depositor }) => depositor),
  )

it('the overview counts open orders by route and status, and marks overdue ones', async () => {
  const { open, oldest, fills } = await readOrdersOverview(database.pool)
  // The destination's final block is not stored, so only the clock shows that the deadline has passed.
  expect(open).toEqual([{ ...route, status: 'confirmed_source', orders: 20, overdue: 10 }])
  expect(oldest).toHaveLength(20)
  expect(oldest.map(({ isOverdue }) => isOverdue)).toEqual([
    ...late.map(() => true),
    ...orders.map(() => false),
  ])
  expect(fills).toEqual([])
  expect(JSON.stringify(oldest)).not.toMatch(/0x[0-9a-f]/i)
})

it('an order that was filled is no longer listed, and its time counts', async () => {
  await fillOrders(database.pool, orders.slice(0, 3), DEPOSIT_BLOCK + 1n)
  await reachBlock(database.pool, DESTINATION, DEPOSIT_BLOCK + 3n)
  await review()
  const overview = await readOrdersOverview(database.pool)
  expect(overview.open).toEqual([{ ...route, status: 'confirmed_source', orders: 17, overdue: 10 }])
  expect(overview.fills).toMatchObject([{ ...route, fills: 3 }])
  const registry = new Registry()
  registerOrderFigures(registry, async () => overview)
  const text = await registry.metrics()
  expect(text).toContain(`orders_overdue{origin="${ORIGIN}",destination="${DESTINATION}"} 10`)
  expect(text).toMatch(/orders_fill_seconds\{[^}]*\} \d/)
})
