import type { DatabasePool } from 'slonik'
import {
  holdOwnersOfLabels,
  recordReviews,
  type AspReviewStatus,
} from '../../../db/account/balances/pool-deposits.ts'

/**
 * Writes the ASP's reviews of deposits that belong to accounts. Skips accounts that were deleted during the request
 * to the ASP.
 *
 * @returns Labels whose status is new.
 */
export function recordOwnReviews(
  database: DatabasePool,
  pool: { chainId: number; address: string },
  reviews: readonly { label: bigint; status: AspReviewStatus }[],
): Promise<readonly bigint[]> {
  return database.transaction(async (transaction) => {
    const labels = reviews.map(({ label }) => label)
    const owned = new Set(await holdOwnersOfLabels(transaction, pool, labels))
    return recordReviews(
      transaction,
      pool,
      reviews.filter(({ label }) => owned.has(label)),
    )
  })
}
