import { parseEther, zeroAddress, type Hash } from 'viem'
import { expect, it } from 'vitest'
import { askNode } from '../../../harness/ask-node.ts'
import { waitUntilIndexed } from '../../../harness/chain-actors.ts'
import type { ReviewWorld } from './start-review-world.ts'

const ONE = parseEther('1')

/** A receipt that a reorg takes back leaves the review, and comes back with it. */
export function testReorg(story: () => ReviewWorld): void {
  it('a receipt that a reorg takes back leaves the review, also the pages of a snapshot', async () => {
    const { payer, service, readReview } = story()
    const node = (method: string, ...params: unknown[]) => askNode(payer.chain.rpcUrl, method, ...params)
    const owner = await story().openDepositor()
    const [kept, lost] = await owner.receiveAll(zeroAddress, [ONE, 0n])
    const pay = async (): Promise<Hash> => {
      const hash = await payer.payNative(lost!, ONE)
      await waitUntilIndexed(service, payer)
      return hash
    }
    await pay()
    const before = await readReview(owner)
    expect(before).toMatchObject({ counts: { needsReview: 2 }, unseenNeedsReview: 2 })
    await node('anvil_reorg', 1, [])
    await node('anvil_dropAllTransactions')
    await node('anvil_mine', '0x1')
    await waitUntilIndexed(service, payer)
    const after = await readReview(owner)
    expect(after).toMatchObject({ counts: { needsReview: 1 }, items: [{ address: kept }] })
    const frozen = await readReview(owner, `?snapshotId=${before.snapshotId}`)
    expect(frozen).toMatchObject({ counts: before.counts, items: [{ address: kept }] })
    const item = before.items.find(({ address }) => address === lost)!
    expect(
      await story().skip(owner, lost!, {
        lastReceivedAt: item.lastReceivedAt,
        rawReceiveCount: item.rawReceiveCount,
      }),
    ).toMatchObject({
      status: 400,
      json: { code: 'REVIEW_SKIP_UNSEEN' },
    })
    await pay()
    expect((await readReview(owner)).counts).toMatchObject({ needsReview: 2 })
  })
}
