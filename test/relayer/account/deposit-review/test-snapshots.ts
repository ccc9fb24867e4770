import { randomUUID } from 'node:crypto'
import { createClient } from 'redis'
import { parseEther, zeroAddress } from 'viem'
import { expect, it } from 'vitest'
import { askNode } from '../../../harness/ask-node.ts'
import { call } from '../../../harness/call.ts'
import { waitUntilIndexed } from '../../../harness/chain-actors.ts'
import type { Depositor } from '../../transact/kinds/pool-deposit/start-deposit-world.ts'
import type { Page, ReviewWorld } from './start-review-world.ts'

const ONE = parseEther('1')

/** Reads snapshots of the review, and abuses their ids and cursors. */
export function testSnapshots(story: () => ReviewWorld): void {
  it('pages of one snapshot neither repeat nor miss, whichever instance is asked and whatever arrives meanwhile', async (test) => {
    const { redis, service, other, payer, readReview } = story()
    if (!redis) test.skip()
    const bob = await story().openDepositor()
    const addresses = await bob.receiveAll(zeroAddress, [ONE, ONE, ONE, ONE, ONE])
    const urls = [other.url, service.url]
    const seen: string[] = []
    let page = await readReview(bob, '?limit=2')
    const { snapshotId } = page
    for (let turn = 0; ; turn += 1) {
      expect(page).toMatchObject({ snapshotId, counts: { needsReview: 5 }, unseenNeedsReview: 5 })
      seen.push(...page.items.map(({ address }) => address))
      const { nextCursor } = page.pageInfo
      if (nextCursor === null) break
      // A payment reaches an address of a page that was read, one of a page to come, and a new one.
      await payer.payNative(
        addresses.find((one) => seen.includes(one))!,
        ONE,
      )
      await payer.payNative(
        addresses.find((one) => !seen.includes(one))!,
        ONE,
      )
      await bob.receiveAll(zeroAddress, [ONE])
      page = await readReview(bob, `?limit=2&snapshotId=${snapshotId}&cursor=${nextCursor}`, urls[turn % 2])
    }
    expect(seen.toSorted()).toEqual(addresses.toSorted())
    expect((await readReview(bob)).counts).toMatchObject({ needsReview: 7 })
  })

  it('a connection pages through one snapshot by one text, and refuses a meaningless text', async () => {
    const { service } = story()
    const bob = await story().openDepositor()
    const addresses = await bob.receiveAll(zeroAddress, [ONE, ONE, ONE])
    const readPage = async (after: string | null, tab?: string) => {
      const answer = await call(`${service.url}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bob.client.token}` },
        body: {
          query: `query ($after: String, $tab: ReviewStatus) { viewer { account {
            review(first: 2, after: $after, tab: $tab) {
              nodes { address reviewStatus primaryAsset { convertUnavailableReason } }
              counts { needsReview skipped } pageInfo { hasNextPage endCursor } } } } }`,
          variables: { after, tab },
        },
      })
      const { data } = answer.json as { data: { viewer: { account: { review: Connection | null } } } }
      return data.viewer.account.review
    }
    const first = (await readPage(null))!
    expect(first).toMatchObject({ counts: { needsReview: 3, skipped: 0 }, pageInfo: { hasNextPage: true } })
    await bob.receiveAll(zeroAddress, [ONE])
    const second = (await readPage(first.pageInfo.endCursor))!
    expect(second).toMatchObject({
      counts: { needsReview: 3 },
      pageInfo: { hasNextPage: false },
    })
    const nodes = [...first.nodes, ...second.nodes].map(({ address }) => address)
    expect(nodes.toSorted()).toEqual(addresses.toSorted())
    expect(await readPage(null, 'skipped')).toMatchObject({ nodes: [], counts: { needsReview: 4 } })
    expect(await readPage('forged.text.of.somebody')).toBeNull()
    await expectFirstPage(bob)
  })

  it('a snapshot that expired, is forged or another account’s is built anew, and the cursor goes on where it was', async () => {
    const { redis, payer, service, readReview } = story()
    const bob = await story().openDepositor()
    const [oldest, ...newer] = await bob.receiveAll(zeroAddress, [ONE, ONE, ONE])
    const first = await readReview(bob, '?limit=2')
    const { snapshotId } = first
    const cursor = first.pageInfo.nextCursor!
    const foreign = await readReview(story().stranger, `?snapshotId=${snapshotId}&cursor=${cursor}`)
    expect(foreign).toMatchObject({ items: [], counts: { needsReview: 0 }, unseenNeedsReview: 0 })
    for (const id of [randomUUID(), 'x', '%00', '*', `${snapshotId}:`, 'a'.repeat(2_000)]) {
      const rebuilt = await readReview(bob, `?limit=2&snapshotId=${id}&cursor=${cursor}`)
      expect(rebuilt.snapshotId).not.toBe(snapshotId)
      expect(addressesOf(rebuilt)).toEqual(addressesOf(await readReview(bob)).slice(2))
    }
    if (redis) {
      expect(await expireAll(redis.url)).toBeLessThanOrEqual(30_000)
      await askNode(payer.chain.rpcUrl, 'evm_increaseTime', 2)
      await payer.payNative(oldest!, ONE)
      await waitUntilIndexed(service, payer)
      const expired = await readReview(bob, `?limit=2&snapshotId=${snapshotId}&cursor=${cursor}`)
      expect(expired.snapshotId).not.toBe(snapshotId)
      // By now the oldest is the newest, so that it comes before the cursor.
      expect(addressesOf(await readReview(bob))[0]).toBe(oldest)
      for (const item of expired.items) expect(newer).toContain(item.address)
    }
  })

  /** Cursors, tabs and limits that mean nothing are the first page of all. */
  async function expectFirstPage(bob: Depositor): Promise<void> {
    const { readReview } = story()
    const [newest] = addressesOf(await readReview(bob))
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const forged = [
      '%00',
      '{}',
      'a'.repeat(3_000),
      encode([0, 'nobody']),
      encode(['never', newest]),
      encode({ lastReceivedAt: 1 }),
      encode([1e308, newest]),
      encode([-1, newest]),
    ]
    for (const cursor of forged) {
      const page = await readReview(bob, `?limit=1&tab=everything&cursor=${cursor}`)
      expect(addressesOf(page), cursor).toEqual([newest])
    }
    // A place that no page of this account ended at is a place all the same.
    const far = encode([Date.parse('2999-01-01'), zeroAddress])
    expect((await readReview(bob, `?cursor=${far}`)).items).toHaveLength(4)
    const past = encode([Date.parse('1999-01-01'), zeroAddress])
    expect((await readReview(bob, `?cursor=${past}`)).items).toEqual([])
    for (const [limit, effective] of [
      [0, 1],
      [-5, 1],
      [201, 200],
    ] as const)
      expect((await readReview(bob, `?limit=${limit}`)).pageInfo.limit).toBe(effective)
  }
}

interface Connection {
  nodes: { address: string }[]
  counts: Record<string, number>
  pageInfo: { hasNextPage: boolean; endCursor: string | null }
}

const addressesOf = ({ items }: Page) => items.map(({ address }) => address)

/** Ends the life of everything in Redis at once. @returns how long the longest value would have lived, in milliseconds. */
async function expireAll(url: string): Promise<number> {
  const client = createClient({ url })
  await client.connect()
  let [longest, life] = [0, 0]
  for await (const keys of client.scanIterator())
    for (const key of keys) {
      if ((await client.type(key)) !== 'string') continue
      const length = await client.strLen(key)
      if (length > longest) [longest, life] = [length, await client.pTTL(key)]
      await client.pExpire(key, 1)
    }
  await client.close()
  return life
}
