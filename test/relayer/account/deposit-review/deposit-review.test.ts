import { setTimeout as sleep } from 'node:timers/promises'
import { randomUUID } from 'node:crypto'
import { parseEther, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitUntilIndexed } from '../../../harness/chain-actors.ts'
import { call } from '../../../harness/call.ts'
import {
  precommitmentsFrom,
  startDepositWorld,
  type DepositWorld,
} from '../../transact/kinds/pool-deposit/start-deposit-world.ts'

let world: DepositWorld
beforeAll(async () => {
  world = await startDepositWorld()
})
afterAll(() => world?.stop())

type Depositor = Awaited<ReturnType<DepositWorld['openDepositor']>>
interface Item {
  address: string
  reviewStatus: string
  statusReason: string | null
  lastReceivedAt: string
  rawReceiveCount: number
  assets: Record<string, unknown>[]
}
interface Page {
  snapshotId: string
  items: Item[]
  counts: Record<string, number>
  pageInfo: { nextCursor: string | null; hasMore: boolean; limit: number }
  unseenNeedsReview: number
}
const read = async (owner: Depositor, query = '') =>
  (await owner.get(`/deposit-review${query}`)).body as unknown as Page
const summaryOf = async (owner: Depositor) => (await owner.get('/deposit-review/summary')).body

it('what came in needs review until it is converted, and is unseen until it is marked', async () => {
  const alice = await world.openDepositor()
  const [address] = await alice.receiveAll(zeroAddress, [parseEther('5')])
  await waitUntilIndexed(world.service, world.payer)
  const page = await read(alice)
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
        primaryAsset: {
          available: String(parseEther('5')),
          convertUnavailableReason: null,
          poolDeposit: null,
        },
      },
    ],
  })
  expect(await summaryOf(alice)).toEqual({
    needsReviewCount: 1,
    unseenNeedsReview: 1,
    markers: [{ address }],
  })
  expect(await alice.post('/deposit-review/seen', {})).toMatchObject({ status: 200 })
  expect(await summaryOf(alice)).toEqual({ needsReviewCount: 1, unseenNeedsReview: 0, markers: [] })

  const [note] = precommitmentsFrom(0)
  const quote = await alice.demand({ amount: String(parseEther('1')), precommitments: [note] })
  // A quote alone decides nothing.
  expect((await read(alice)).counts).toMatchObject({ needsReview: 1 })
  expect(await alice.submit(quote)).toMatchObject({ status: 200 })
  expect((await read(alice)).items[0]?.reviewStatus).toBe('inProgress')
  await expect.poll(() => world.statusOf(alice, quote.quoteId), { timeout: 60_000 }).toBe('confirmed')
  await waitUntilIndexed(world.service, world.payer)
  expect((await read(alice)).items[0]).toMatchObject({
    reviewStatus: 'inProgress',
    primaryAsset: { poolDeposit: { status: 'pending', amount: String(parseEther('1')) } },
  })
  // The first page is what it was for as long as its snapshot lasts; only amounts are those of now.
  expect((await read(alice, `?snapshotId=${page.snapshotId}`)).counts).toEqual(page.counts)
})

it('pages of one snapshot neither repeat nor miss, and inputs that mean nothing are the first page', async () => {
  const bob = await world.openDepositor()
  const addresses = await bob.receiveAll(
    zeroAddress,
    [1n, 2n, 3n].map((coins) => parseEther(`${coins}`)),
  )
  await waitUntilIndexed(world.service, world.payer)
  const first = await read(bob, '?limit=2')
  expect(first.pageInfo).toMatchObject({ hasMore: true, limit: 2 })
  const { snapshotId } = first
  const second = await read(bob, `?limit=2&snapshotId=${snapshotId}&cursor=${first.pageInfo.nextCursor}`)
  expect(second).toMatchObject({ snapshotId, pageInfo: { nextCursor: null, hasMore: false } })
  const seen = [...first.items, ...second.items].map((item) => item.address)
  expect(seen.toSorted()).toEqual([...addresses].toSorted())

  const other = await read(bob, `?limit=0&cursor=%00&tab=x&snapshotId=${randomUUID()}`)
  expect(other).toMatchObject({ pageInfo: { limit: 1 }, items: [{ address: seen[0] }] })
  expect(other.snapshotId).not.toBe(snapshotId)
  // Another account finds nothing under the id.
  const carol = await world.openDepositor()
  const foreign = await read(carol, `?snapshotId=${snapshotId}`)
  expect(foreign).toMatchObject({ items: [], counts: { needsReview: 0 } })
  expect(foreign.snapshotId).not.toBe(snapshotId)
})

it('a skip holds until more came, and names nothing that has not happened', async () => {
  const dave = await world.openDepositor()
  const [address] = await dave.receiveAll(zeroAddress, [parseEther('1')])
  await waitUntilIndexed(world.service, world.payer)
  const [item] = (await read(dave)).items
  const { lastReceivedAt, rawReceiveCount } = item!
  const send = (method: string, of: string, body?: unknown) =>
    call(`${world.service.url}/v1/accounts/${dave.client.accountId}/deposit-review/skipped/${of}`, {
      method,
      headers: { authorization: `Bearer ${dave.client.token}` },
      ...(body !== undefined && { body }),
    })
  const later = new Date(Date.parse(lastReceivedAt) + 1).toISOString()
  for (const [of, body] of [
    [address!, { lastReceivedAt: later, rawReceiveCount }],
    [address!, { lastReceivedAt, rawReceiveCount: rawReceiveCount + 1 }],
    [world.native.pool, { lastReceivedAt, rawReceiveCount }],
  ] as const) {
    const refused = await send('PUT', of, body)
    expect(refused).toMatchObject({ status: 400, json: { code: 'REVIEW_SKIP_UNSEEN' } })
  }
  expect(await send('DELETE', address!)).toMatchObject({ status: 200, json: { restored: false } })
  const skip = { lastReceivedAt, rawReceiveCount }
  expect(await send('PUT', address!, skip)).toMatchObject({
    status: 200,
    json: { skip: { address, ...skip } },
  })
  expect((await read(dave, '?tab=skipped')).items).toMatchObject([{ address, reviewStatus: 'skipped' }])
  await world.payer.payNative(address!, 1n)
  await waitUntilIndexed(world.service, world.payer)
  expect((await read(dave)).items[0]?.reviewStatus).toBe('skipped')
  // Blocks have whole seconds: a receipt of the same second is not later.
  await sleep(1_100)
  await world.payer.payNative(address!, parseEther('1'))
  await waitUntilIndexed(world.service, world.payer)
  expect((await read(dave)).items[0]).toMatchObject({
    reviewStatus: 'needsReview',
    statusReason: 'new_funds',
  })
  expect(await send('DELETE', address!)).toMatchObject({ json: { restored: true } })
})
