import { parseEther, zeroAddress, type Address } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitUntilIndexed } from '../../../harness/chain-actors.ts'
import { countStatements } from '../../../harness/count-statements.ts'
import { askNode } from '../../../harness/ask-node.ts'
import { subscribe } from '../../../harness/subscribe.ts'
import { precommitmentsFrom, type Depositor } from '../../transact/kinds/pool-deposit/start-deposit-world.ts'
import { startReviewWorld, type ReviewWorld } from './start-review-world.ts'
import { testConversions } from './test-conversions.ts'
import { testMembers } from './test-members.ts'
import { testReorg } from './test-reorg.ts'
import { testSnapshots } from './test-snapshots.ts'

let world: ReviewWorld
let dave: Depositor
beforeAll(async () => {
  world = await startReviewWorld()
})
afterAll(() => world?.stop())

const ONE = parseEther('1')
const summaryOf = async (owner: Depositor) => (await owner.get('/deposit-review/summary')).body
const pay = async (address: Address, amount: bigint) => {
  await world.payer.payNative(address, amount)
  await waitUntilIndexed(world.service, world.payer)
}
const node = (method: string, ...params: unknown[]) => askNode(world.payer.chain.rpcUrl, method, ...params)

it('a receipt needs review until it is converted, and is unseen until it is marked', async () => {
  const alice = await world.openDepositor()
  const [address] = await alice.receiveAll(zeroAddress, [5n * ONE])
  const page = await world.readReview(alice)
  expect(page).toMatchObject({
    counts: { needsReview: 1, inProgress: 0, done: 0, skipped: 0 },
    unseenNeedsReview: 1,
    items: [
      {
        address,
        reviewStatus: 'needsReview',
        statusReason: 'new_funds',
        rawReceiveCount: 1,
        canConvert: true,
        primaryAsset: { available: String(5n * ONE), convertUnavailableReason: null, poolDeposit: null },
      },
    ],
  })
  expect(await summaryOf(alice)).toEqual({
    needsReviewCount: 1,
    unseenNeedsReview: 1,
    markers: [{ address }],
  })
  const first = await alice.post('/deposit-review/seen', {})
  const second = await alice.post('/deposit-review/seen', {})
  expect([first.status, second.status]).toEqual([200, 200])
  expect(Date.parse(String(second.body['seenAt']))).toBeGreaterThanOrEqual(
    Date.parse(String(first.body['seenAt'])),
  )
  expect(await summaryOf(alice)).toEqual({ needsReviewCount: 1, unseenNeedsReview: 0, markers: [] })
  await pay(address!, ONE)
  expect(await summaryOf(alice)).toMatchObject({ unseenNeedsReview: 1 })

  const quote = await alice.demand({ amount: String(ONE), precommitments: precommitmentsFrom(0) })
  // A quote alone decides nothing.
  expect((await world.readReview(alice)).counts).toMatchObject({ needsReview: 1 })
  await alice.post('/unlock', { quoteId: quote.quoteId })
  // The snapshot stays the same for as long as it lasts; only its amounts are current.
  const frozen = await world.readReview(alice, `?snapshotId=${page.snapshotId}`)
  expect(frozen).toMatchObject({
    counts: page.counts,
    unseenNeedsReview: 1,
    items: [{ primaryAsset: { amount: String(6n * ONE) } }],
  })
})

// Before anything is deposited: the association set provider answers deposits with blocks of its own.
testReorg(() => world)
// Before the chain's clock is moved: a failure is dated by the service's.
testConversions(() => world)

it('followers in every instance hear of each change of the counts once, and strangers hear nothing', async () => {
  const alice = await world.openDepositor()
  const { accountId, token } = alice.client
  const query = `subscription { depositReviewChanged(accountId: "${accountId}") {
    counts { needsReview inProgress done skipped } unseenNeedsReview } }`
  const refused = await subscribe(world.other.url, query, world.stranger.client.token)
  expect(await refused.next()).toMatchObject({ errors: [{ extensions: { status: 403 } }] })

  const followers = [
    await subscribe(world.service.url, query, token),
    await subscribe(world.other.url, query, token),
  ]
  const next = () =>
    Promise.all(
      followers.map(async (events) => {
        const { data } = (await events.next()) as { data: { depositReviewChanged: object } }
        return data.depositReviewChanged
      }),
    )
  const told = (counts: Record<string, number>, unseenNeedsReview = 0) => {
    const all = { needsReview: 0, inProgress: 0, done: 0, skipped: 0, ...counts }
    return followers.map(() => ({ counts: all, unseenNeedsReview }))
  }
  expect(await next()).toEqual(told({}))
  const [address] = await alice.receiveAll(zeroAddress, [2n * ONE])
  expect(await next()).toEqual(told({ needsReview: 1 }, 1))
  // Dust, and money for an asset that waits already, change no number.
  await pay(address!, 1n)
  await pay(address!, ONE)
  const [{ lastReceivedAt, rawReceiveCount }] = (await world.readReview(alice)).items as [never]
  expect(await world.skip(alice, address!, { lastReceivedAt, rawReceiveCount })).toMatchObject({
    status: 200,
  })
  expect(await next()).toEqual(told({ skipped: 1 }))
  // Nor does marking a skipped receipt as seen.
  await alice.post('/deposit-review/seen', {})
  const quote = await alice.demand({ amount: String(ONE), precommitments: precommitmentsFrom(0) })
  // It is pending for as long as no block takes it.
  await node('evm_setAutomine', false)
  expect(await alice.submit(quote)).toMatchObject({ status: 200 })
  expect(await next()).toEqual(told({ inProgress: 1 }))
  await node('evm_setAutomine', true)
  await node('evm_mine')
  for (const events of followers) events.leave()
})

it('twenty streams of an account read as much of its review for a change as one', async () => {
  const erin = await world.openDepositor()
  const { accountId, token } = erin.client
  const [address] = await erin.receiveAll(zeroAddress, [ONE])
  const [{ lastReceivedAt, rawReceiveCount }] = (await world.readReview(erin)).items as [never]
  const query = `subscription { depositReviewChanged(accountId: "${accountId}") { counts { skipped } } }`
  const countFor = async (streams: number) => {
    const followers: Awaited<ReturnType<typeof subscribe>>[] = []
    for (let place = 0; place < streams; place += 1)
      followers.push(await subscribe(world.service.url, query, token))
    const next = () => Promise.all(followers.map((events) => events.next()))
    const allOf = (skipped: number) =>
      followers.map(() => ({ data: { depositReviewChanged: { counts: { skipped } } } }))
    const read = async () => {
      const skipped = await world.skip(erin, address!, { lastReceivedAt, rawReceiveCount })
      expect(skipped).toMatchObject({ status: 200 })
      expect(await next()).toEqual(allOf(1))
      expect(await world.skip(erin, address!)).toMatchObject({ status: 200, json: { restored: true } })
      expect(await next()).toEqual(allOf(0))
    }
    expect(await next()).toEqual(allOf(0))
    await read()
    const count = await countStatements(read, { about: accountId, rounds: 2 })
    for (const events of followers) events.leave()
    return count
  }
  const ofOne = await countFor(1)
  expect(ofOne).toBeGreaterThan(0)
  expect(await countFor(20)).toBe(ofOne)
})

it('a skip holds until more arrives, and names nothing that has not happened', async () => {
  dave = await world.openDepositor()
  const [address] = await dave.receiveAll(zeroAddress, [ONE])
  const [item] = (await world.readReview(dave)).items
  const { lastReceivedAt, rawReceiveCount } = item!
  const later = new Date(Date.parse(lastReceivedAt) + 1).toISOString()
  const { address: foreign } = await world.stranger.client.receive()
  for (const [of, body] of [
    [address!, { lastReceivedAt: later, rawReceiveCount }],
    [address!, { lastReceivedAt: '2999-01-01T00:00:00.000Z', rawReceiveCount }],
    [address!, { lastReceivedAt, rawReceiveCount: rawReceiveCount + 1 }],
    [address!, { lastReceivedAt, rawReceiveCount: Number.MAX_SAFE_INTEGER }],
    [world.native.pool, { lastReceivedAt, rawReceiveCount }],
    [foreign, { lastReceivedAt: '1999-01-01T00:00:00.000Z', rawReceiveCount: 0 }],
  ] as const) {
    const refused = await world.skip(dave, of, body)
    expect(refused).toMatchObject({ status: 400, json: { code: 'REVIEW_SKIP_UNSEEN' } })
  }
  expect(await world.skip(dave, address!)).toMatchObject({ status: 200, json: { restored: false } })
  const skip = { lastReceivedAt, rawReceiveCount }
  // Less than there is: stored, and without effect.
  const early = { lastReceivedAt: '1999-01-01T00:00:00.000Z', rawReceiveCount: 0 }
  expect(await world.skip(dave, address!, early)).toMatchObject({ status: 200, json: { skip: early } })
  expect((await world.readReview(dave)).counts).toMatchObject({ needsReview: 1, skipped: 0 })
  expect(await world.skip(dave, address!, skip)).toMatchObject({
    status: 200,
    json: { skip: { address, ...skip } },
  })
  expect((await world.readReview(dave, '?tab=skipped')).items).toMatchObject([
    { address, reviewStatus: 'skipped', statusReason: null },
  ])
  await pay(address!, 1n)
  expect((await world.readReview(dave)).items[0]?.reviewStatus).toBe('skipped')
  await node('evm_increaseTime', 2)
  await pay(address!, ONE)
  expect((await world.readReview(dave)).items[0]).toMatchObject({
    reviewStatus: 'needsReview',
    statusReason: 'new_funds',
  })
  expect(await world.skip(dave, address!)).toMatchObject({ json: { restored: true } })
})

it('a later block of the same second ends a skip, and so does one of it that the owner had not counted', async () => {
  const [address] = await dave.receiveAll(zeroAddress, [0n])
  await node('anvil_setBlockTimestampInterval', 0)
  try {
    await pay(address!, ONE)
    const itemNow = async () => (await world.readReview(dave)).items.find((item) => item.address === address)
    const { lastReceivedAt, rawReceiveCount } = (await itemNow())!
    const skip = (count: number) => world.skip(dave, address!, { lastReceivedAt, rawReceiveCount: count })
    const statusNow = async () => (await itemNow())?.reviewStatus
    await skip(rawReceiveCount)
    expect(await statusNow()).toBe('skipped')
    await pay(address!, 1n)
    expect(await statusNow()).toBe('skipped')
    await pay(address!, ONE)
    expect(await itemNow()).toMatchObject({ lastReceivedAt, rawReceiveCount: 3, reviewStatus: 'needsReview' })
    await skip(2)
    expect(await statusNow()).toBe('needsReview')
    await skip(3)
    expect(await statusNow()).toBe('skipped')
  } finally {
    await node('anvil_removeBlockTimestampInterval')
  }
})

testSnapshots(() => world)
testMembers(() => world)
