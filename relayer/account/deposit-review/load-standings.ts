import type { Address } from 'viem'
import { listReviewStandings } from '../../../db/account/deposit-review/review-standings.ts'
import { judgeAddress } from './judge-review.ts'
import type { MarketSources, ReviewMarket } from './load-market.ts'
import type { ReviewStatus } from './review-facts.ts'

/** How an address of the review stands. */
export interface AddressStanding {
  address: Address
  status: ReviewStatus
  /** Of its last trusted receipt. */
  lastReceivedAt: Date
  /** Needs review for a trusted receipt that the account has not seen. */
  isUnseen: boolean
}

/** Loads every address of an account that is in review; what it holds and what that is worth is not read. */
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
