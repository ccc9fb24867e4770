import type { Address } from 'viem'
import { listReviewStandings } from '../../../db/account/deposit-review/review-standings.ts'
import { judgeAddress } from './judge-review.ts'
import type { MarketSources, ReviewMarket } from './load-market.ts'
import type { ReviewStatus } from './review-facts.ts'

/** The status of an address in the review. */
export interface AddressStanding {
  address: Address
  status: ReviewStatus
  /** Time of its last trusted receipt. */
  lastReceivedAt: Date
  /** True if it needs review for a trusted receipt that the account has not seen. */
  isUnseen: boolean
}

/** Loads the status of every address in an account's review, without holdings and prices. */
export async function loadStandings(
  { database }: Pick<MarketSources, 'database'>,
  accountId: string,
  { trusted }: Pick<ReviewMarket, 'trusted'>,
): Promise<readonly AddressStanding[]> {
  const rows = await listReviewStandings(database, accountId, trusted)
  return rows.flatMap((row) => {
    const status = judgeAddress(row)
    if (!status) return []
    const { address, lastReceivedAt } = row
    return [{ address, status, lastReceivedAt, isUnseen: status === 'needsReview' && row.isUnseen }]
  })
}
