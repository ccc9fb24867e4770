import { expect, it } from 'vitest'
import { reviewPage } from '../../../../schema/account/deposit-review/model.ts'
import { findUndocumented } from '../../../harness/find-undocumented.ts'
import type { ReviewWorld } from './start-review-world.ts'

/** As the contract lists them. */
const ITEM =
  'id, address, reviewStatus, statusReason, provenanceSources, assets, primaryAsset, receiveCount, rawReceiveCount, trustedReceiveActionCount, trustedReceiveActionTypes, assetCount, chainCount, lastReceivedAt, usdAmount, canConvert'
const ASSET =
  'id, address, reviewStatus, statusReason, chainId, chainName, tokenAddress, tokenSymbol, decimals, logoUrl, amount, available, pending, receiveCount, rawReceiveCount, trustedReceiveActionCount, trustedReceiveActionTypes, lastReceivedAt, receiveTxHash, usdAmount, pricePerToken, poolMinDeposit, canConvert, convertUnavailableReason, poolDeposit'
const POOL_DEPOSIT = 'commitmentId, status, txHash, amount, updatedAt'
/** There is one chain, and no token has a picture. */
const OF_THE_DEVNET = new Set(['chainId', 'chainName', 'chainCount', 'logoUrl'])

type Members = Record<string, unknown>

/** Runs after all stories, on the pages that they read. */
export function testMembers(story: () => ReviewWorld): void {
  it('items have the members of the contract and no others, and none of them is a constant', () => {
    const { pages } = story()
    for (const page of pages) expect(findUndocumented(reviewPage, page)).toEqual([])
    const items = pages.flatMap((page) => page.items as unknown as Members[])
    const assets = items.flatMap((item): Members[] => item['assets'] as Members[])
    const deposits = assets.flatMap((asset): Members[] => {
      const deposit = asset['poolDeposit'] as Members | null
      return deposit ? [deposit] : []
    })
    const listed: [Members[], string][] = [
      [items, ITEM],
      [assets, ASSET],
      [deposits, POOL_DEPOSIT],
    ]
    for (const [those, contract] of listed) {
      const names = contract.split(', ')
      for (const one of those) expect(Object.keys(one).toSorted()).toEqual(names.toSorted())
      const constants = names.filter(
        (name) => new Set(those.map((one) => JSON.stringify(one[name]))).size < 2,
      )
      expect(constants.filter((name) => !OF_THE_DEVNET.has(name))).toEqual([])
    }
  })
}
