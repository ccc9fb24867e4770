import fc from 'fast-check'
import { getAddress, numberToHex, zeroAddress, zeroHash, type Address } from 'viem'
import { describe, expect, it, test } from 'vitest'
import type { BridgeEventRow } from '../../../../db/chain/indexer/rows.ts'
import type { FollowedOrder } from '../../../../db/transact/followed-orders.ts'
import {
  followOrders,
  relayKeyOf,
  type OrderFacts,
} from '../../../../relayer/transact/orders/follow-orders.ts'
import { shareRefunds } from '../../../../relayer/transact/orders/follow-orders.ts'

const named = (number: number): Address => getAddress(numberToHex(number, { size: 20 }))
const hashed = (number: number) => numberToHex(number, { size: 32 })
const [depositor, recipient, input, bridged, wanted, handler] = [1, 2, 3, 4, 5, 6].map(named) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
]
const ORIGIN = 1
const DESTINATION = 2

function orderOf(number: number, changes: Partial<FollowedOrder> = {}): FollowedOrder {
  return {
    quoteId: `quote ${number}`,
    originChainId: ORIGIN,
    destinationChainId: DESTINATION,
    depositor,
    depositRecipient: recipient,
    exclusiveRelayer: zeroAddress,
    inputToken: input,
    bridgedToken: bridged,
    inputAmount: 100n,
    bridgedAmount: 99n,
    quoteTimestamp: 900,
    fillDeadline: 1_000,
    exclusivityDeadline: 0,
    message: '0x',
    outputRecipient: recipient,
    outputToken: bridged,
    expectedOutput: 99n,
    minimumOutput: 99n,
    executedTx: hashed(number),
    hasFailed: false,
    status: 'pending',
    depositTx: null,
    fillTx: null,
    refundTx: null,
    arrivedToken: null,
    arrivedAmount: null,
    originDue: null,
    destinationDue: null,
    ...changes,
  }
}

let logs = 0
function event(
  kind: BridgeEventRow['kind'],
  block: bigint,
  changes: Partial<BridgeEventRow>,
): BridgeEventRow {
  return {
    chainId: ORIGIN,
    blockHash: hashed(Number(block)),
    logIndex: (logs += 1),
    item: 0,
    blockNumber: block,
    blockTime: new Date(0),
    txHash: zeroHash,
    kind,
    address: depositor,
    token: null,
    amount: null,
    isDeferred: null,
    relayKey: null,
    depositId: null,
    quoteTimestamp: null,
    fallbackRecipient: null,
    ...changes,
  }
}
const depositOf = (
  order: FollowedOrder,
  block: bigint,
  depositId = 7n,
  changes: Partial<BridgeEventRow> = {},
) =>
  event('deposit', block, {
    txHash: order.executedTx ?? zeroHash,
    depositId,
    quoteTimestamp: order.quoteTimestamp,
    relayKey: relayKeyOf(order, depositId),
    ...changes,
  })
const fillOf = (order: FollowedOrder, block: bigint, depositId = 7n, changes: Partial<BridgeEventRow> = {}) =>
  event('fill', block, {
    chainId: DESTINATION,
    txHash: hashed(500),
    depositId,
    amount: order.bridgedAmount,
    relayKey: relayKeyOf(order, depositId),
    ...changes,
  })
const refundOf = (block: bigint, amount: bigint, changes: Partial<BridgeEventRow> = {}) =>
  event('refund', block, {
    txHash: hashed(600 + Number(block)),
    token: input,
    amount,
    isDeferred: false,
    ...changes,
  })

interface World {
  events?: BridgeEventRow[]
  arrivals?: OrderFacts['arrivals']
  origin?: bigint
  destination?: bigint
  time?: number
}
const look = (orders: readonly FollowedOrder[], world: World) =>
  followOrders(orders, {
    events: world.events ?? [],
    arrivals: world.arrivals ?? [],
    heads: new Map([
      [ORIGIN, { block: world.origin ?? 100n, time: 0 }],
      [DESTINATION, { block: world.destination ?? 100n, time: world.time ?? 950 }],
    ]),
  })
const stateOf = (order: FollowedOrder, world: World) => look([order], world).get(order.quoteId)

describe('an order', () => {
  const order = orderOf(1)
  const deposit = depositOf(order, 10n)

  it('waits for its deposit to be final, and names the block', () => {
    expect(stateOf(order, {})).toMatchObject({ status: 'pending', depositTx: null })
    const early = stateOf(order, { events: [deposit], origin: 9n })
    expect(early).toMatchObject({ status: 'pending', depositTx: order.executedTx, originDue: 10n })
    expect(stateOf(order, { events: [deposit] })).toMatchObject({
      status: 'confirmed_source',
      originDue: null,
    })
  })

  it('is not begun by deposits that others make in our name, in any transaction', () => {
    const forged = [
      depositOf(order, 10n, 7n, { txHash: hashed(9) }),
      depositOf(order, 10n, 7n, { relayKey: relayKeyOf({ ...order, bridgedAmount: 1n }, 7n) }),
      depositOf(order, 10n, 7n, { quoteTimestamp: 901 }),
      depositOf(order, 10n, 7n, { chainId: DESTINATION }),
    ]
    expect(stateOf(order, { events: forged })).toMatchObject({ status: 'pending', depositTx: null })
    expect(stateOf({ ...order, executedTx: null, hasFailed: true }, { events: [deposit] })?.status).toBe(
      'failed',
    )
  })

  it('is not completed by a fill that claims its number with one unit, and is by the true one afterwards', () => {
    const spoofed = fillOf(order, 20n, 7n, {
      relayKey: relayKeyOf({ ...order, bridgedAmount: 1n }, 7n),
      amount: 1n,
    })
    expect(stateOf(order, { events: [deposit, spoofed] })).toMatchObject({
      status: 'confirmed_source',
      fillTx: null,
    })
    expect(stateOf(order, { events: [deposit, spoofed, fillOf(order, 21n)] })).toMatchObject({
      status: 'completed',
      arrived: { token: bridged, amount: 99n },
    })
  })

  it('names its fill at once and is completed when that is final, even beyond the deadline', () => {
    const events = [deposit, fillOf(order, 20n)]
    expect(stateOf(order, { events, destination: 19n, time: 2_000 })).toMatchObject({
      status: 'confirmed_source',
      fillTx: hashed(500),
      destinationDue: 20n,
    })
  })

  it('expires by the clock of the destination alone, a second after the deadline', () => {
    expect(stateOf(order, { events: [deposit], time: 1_000 })?.status).toBe('confirmed_source')
    expect(stateOf(order, { events: [deposit], time: 1_001 })).toMatchObject({
      status: 'expired',
      refundTx: null,
    })
  })

  it('shows the bridged token where the calls of its message failed, unless the wanted one arrived', () => {
    const chained = orderOf(1, {
      message: '0x1234',
      outputToken: wanted,
      expectedOutput: 50n,
      minimumOutput: 49n,
    })
    const events = (fallbackRecipient: Address | null) => [
      depositOf(chained, 10n),
      fillOf(chained, 20n, 7n, { fallbackRecipient }),
    ]
    const got = { chainId: DESTINATION, txHash: hashed(500), to: recipient, token: wanted, amount: 51n }
    const arrived = (world: World) => stateOf(chained, world)?.arrived
    expect(arrived({ events: events(null), arrivals: [got] })).toEqual({ token: wanted, amount: 51n })
    expect(arrived({ events: events(recipient) })).toEqual({ token: bridged, amount: 99n })
    // Anybody can make the handler emit that.
    expect(arrived({ events: events(recipient), arrivals: [got] })).toEqual({ token: wanted, amount: 51n })
    expect(arrived({ events: events(handler), arrivals: [] })).toEqual({ token: wanted, amount: 49n })
  })

  it('that is refunded by a claim stays expired until the claim', () => {
    const deferred = refundOf(30n, 100n, { isDeferred: true })
    const claim = event('refund-claim', 31n, { txHash: hashed(631), token: input, amount: 100n })
    const world = { events: [deposit, deferred], time: 2_000 }
    expect(stateOf(order, world)).toMatchObject({ status: 'expired', refundTx: null })
    expect(stateOf(order, { ...world, events: [...world.events, claim] })).toMatchObject({
      status: 'refunded',
      refundTx: hashed(631),
      arrived: { token: input, amount: 100n },
    })
  })
})

describe('refunds', () => {
  const place = (block: number) => ({ block: BigInt(block), logIndex: 0 })
  const owed = (quoteId: string, amount: bigint, block = 1) => ({
    quoteId,
    amount,
    token: 'T',
    deposited: place(block),
    fillDeadline: block,
  })
  const credit = (amount: bigint, block: number) => ({
    amount,
    token: 'T',
    at: place(block),
    txHash: hashed(block),
  })
  const share = (...parts: Parameters<typeof shareRefunds>) =>
    Object.fromEntries([...shareRefunds(...parts)].map(([quoteId, { txHash }]) => [quoteId, Number(txHash)]))

  it.each([
    ['one sum for several', [owed('a', 5n), owed('b', 7n, 2)], [credit(12n, 9)], { a: 9, b: 9 }],
    [
      'first the orders whose sum it is',
      [owed('a', 5n), owed('b', 10n, 2)],
      [credit(10n, 8), credit(5n, 9)],
      { b: 8, a: 9 },
    ],
    ['the oldest where it is enough for one', [owed('a', 5n), owed('b', 5n, 2)], [credit(6n, 9)], { a: 9 }],
    [
      'what was left before',
      [owed('a', 5n), owed('b', 5n, 2)],
      [credit(6n, 8), credit(4n, 9)],
      { a: 8, b: 9 },
    ],
    ['nobody who deposited later', [owed('a', 5n, 9)], [credit(5n, 8)], {}],
    ['nobody where it is not enough', [owed('a', 5n)], [credit(4n, 9)], {}],
  ])('pay %s', (_title, those, credits, expected) => {
    expect(share(those, credits)).toEqual(expected)
    expect(share(those.toReversed(), credits.toReversed())).toEqual(expected)
  })
})

test('events and reorgs in any order end in the state of a fresh index', () => {
  const orders = [orderOf(1), orderOf(2, { inputAmount: 40n, fillDeadline: 1_005 })]
  const [one, two] = orders as [FollowedOrder, FollowedOrder]
  const all = [
    depositOf(one, 10n, 7n),
    depositOf(two, 11n, 8n),
    fillOf(one, 20n, 7n),
    fillOf(one, 20n, 7n, { relayKey: zeroHash }),
    fillOf(two, 21n, 8n),
    refundOf(30n, 140n),
    refundOf(31n, 40n),
    refundOf(32n, 100n),
  ]
  const head = fc.record({
    origin: fc.bigInt(9n, 33n),
    destination: fc.bigInt(19n, 22n),
    time: fc.integer({ min: 990, max: 1_010 }),
  })
  const step = fc.record({ shown: fc.subarray(all), head })
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), fc.boolean(), (steps, isReversed) => {
      // Each step starts from the state that the previous one wrote.
      let rows = orders
      for (const { shown, head: at } of steps) {
        const states = look(rows, { events: isReversed ? shown.toReversed() : shown, ...at })
        rows = rows.map((row) => ({ ...row, ...states.get(row.quoteId) }))
      }
      const last = steps.at(-1)
      const fresh = look(orders, { events: last?.shown ?? [], ...last?.head })
      for (const row of rows) expect(row).toMatchObject({ ...fresh.get(row.quoteId) })
    }),
    { numRuns: 300 },
  )
})
