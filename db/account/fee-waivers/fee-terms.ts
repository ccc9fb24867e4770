import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import { isWaivedByCollectible, type CollectionKey } from '../collectible/collectible-deposits.ts'

const feeTermsRow = z.object({ waived: z.boolean(), discountBps: z.int() })
/** An account's terms for service fees: waived, or discounted by so many basis points. */
export type FeeTermsRow = z.output<typeof feeTermsRow>

/**
 * Reads whether fees are waived, and the discount of the referral in force, 0 without one. A waiver in force, a held
 * collectible or a standing activation offer waives them. One statement, because every price needs it.
 *
 * @param collections Collections whose tokens waive fees.
 * @param claimDays Days after its creation within which an account may claim the offer; null without an offer.
 */
export function readFeeTerms(
  connection: CommonQueryMethods,
  accountId: string,
  collections: readonly CollectionKey[],
  claimDays: number | null,
): Promise<FeeTermsRow> {
  return connection.one(sql.type(feeTermsRow)`
    select
      exists (
        select from fee_waiver where account_id = ${accountId}::uuid and (active_until is null or active_until > now())
      ) or exists (
        select from account
        where id = ${accountId}::uuid and created_at + make_interval(days => ${claimDays}::int4) > now()
          and not exists (select from fee_waiver where account_id = account.id and source = 'activation')
      ) or ${isWaivedByCollectible(accountId, collections)} as waived,
      coalesce((
        select referred_discount_bps from referral_attribution
        where account_id = ${accountId}::uuid and revoked_at is null and earning_ends_at > now()
      ), 0) as "discountBps"`)
}
