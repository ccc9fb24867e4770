import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import { type AccountTable } from '../../account-table.ts'

/** How an account's erasure and export treat the table. */
export const referralAttributionTable: AccountTable = {
  table: 'referral_attribution',
  own: (accountId) => sql.fragment`(account_id = ${accountId} or referrer_account_id = ${accountId})`,
  kept: 'as referrer they go with the account, as the referred its id is taken out: the referrer has earned',
  omit: ['account_id', 'referrer_account_id'],
}

const attributionRow = z.object({
  id: z.string(),
  referrerName: z.string().nullable(),
  referrerShareBps: z.int(),
  referredDiscountBps: z.int(),
  minimumRewardUsdCents: z.int(),
  earningStartsAt: z.date(),
  earningEndsAt: z.date(),
  revokedAt: z.date().nullable(),
  status: z.enum(['active', 'expired', 'revoked']),
})

/** An account's referrer and the terms of the referral. */
export type AttributionRow = z.output<typeof attributionRow>

/** An attribution to be stored, with the terms that hold for its whole duration. */
export interface NewAttribution {
  id: string
  /** The referred. */
  accountId: string
  code: string
  referrerShareBps: number
  referredDiscountBps: number
  minimumRewardUsdCents: number
  earningDurationDays: number
}

/** Attributes an account to the owner of a code. False for an unknown code, its own code, or a second attribution. */
export async function insertAttribution(
  connection: CommonQueryMethods,
  given: NewAttribution,
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.typeAlias('void')`
    insert into referral_attribution (id, account_id, referrer_account_id, referrer_share_bps, referred_discount_bps,
      minimum_reward_usd_cents, earning_starts_at, earning_ends_at)
    select ${given.id}::uuid, ${given.accountId}::uuid, profile.account_id, ${given.referrerShareBps}::int4,
      ${given.referredDiscountBps}::int4, ${given.minimumRewardUsdCents}::int4, now(),
      now() + make_interval(days => ${given.earningDurationDays})
    from referral_profile as profile
    join account on account.id = profile.account_id and account.disabled_at is null
    where profile.code = ${given.code} and profile.account_id <> ${given.accountId}::uuid
    on conflict (account_id) do nothing`)
  return rowCount > 0
}

/** The account's attribution to a referrer, even if revoked or expired; null when there is none. */
export function findAttribution(
  connection: CommonQueryMethods,
  accountId: string,
): Promise<AttributionRow | null> {
  return connection.maybeOne(sql.type(attributionRow)`
    select attribution.id, subdomain.name as "referrerName", referrer_share_bps as "referrerShareBps",
      referred_discount_bps as "referredDiscountBps", minimum_reward_usd_cents as "minimumRewardUsdCents",
      earning_starts_at as "earningStartsAt", earning_ends_at as "earningEndsAt", revoked_at as "revokedAt",
      case when revoked_at is not null then 'revoked' when earning_ends_at <= now() then 'expired' else 'active' end
        as status
    from referral_attribution as attribution
    left join subdomain on subdomain.account_id = attribution.referrer_account_id
    where attribution.account_id = ${accountId}`)
}

/** Revokes an attribution for good; a second call changes nothing. */
export async function revokeAttribution(connection: CommonQueryMethods, accountId: string): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    update referral_attribution set revoked_at = now() where account_id = ${accountId} and revoked_at is null`)
}

const summaryRow = z.object({
  totalReferrals: z.int(),
  activeReferrals: z.int(),
  earnedUsdMicros: z.bigint(),
})

/** Totals of an account's referrals; dollars in millionths. */
export function summarizeReferrals(
  connection: CommonQueryMethods,
  referrerAccountId: string,
): Promise<z.output<typeof summaryRow>> {
  return connection.one(sql.type(summaryRow)`
    select count(*)::int4 as "totalReferrals",
      (count(*) filter (where revoked_at is null and earning_ends_at > now() and account_id is not null))::int4
        as "activeReferrals",
      coalesce((
        select sum(earning.referrer_share_usd_micros)
        from referral_earning as earning
        join referral_attribution as earned on earned.id = earning.attribution_id
        where earned.referrer_account_id = ${referrerAccountId}
      ), 0) as "earnedUsdMicros"
    from referral_attribution where referrer_account_id = ${referrerAccountId}`)
}
