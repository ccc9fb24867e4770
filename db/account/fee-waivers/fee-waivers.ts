import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import { byAccount } from '../../account-table.ts'
import { isWaivedByCollectible, type CollectionKey } from '../collectible/collectible-deposits.ts'

/** How an account's erasure and export treat the table. */
export const feeWaiverTable = byAccount('fee_waiver')

const waiverRow = z.object({
  source: z.enum(['activation', 'collectible']),
  activeUntil: z.date().nullable(),
})
/** A waiver of service fees; `activeUntil` null means that it does not end. */
export type FeeWaiverRow = z.output<typeof waiverRow>

/**
 * The waiver in force that lasts longest. A waiver by a collectible has no known end.
 * @param collections Collections whose tokens waive fees.
 */
export function findActiveWaiver(
  connection: CommonQueryMethods,
  accountId: string,
  collections: readonly CollectionKey[],
): Promise<FeeWaiverRow | null> {
  return connection.maybeOne(sql.type(waiverRow)`
    select source, active_until as "activeUntil" from fee_waiver
    where account_id = ${accountId} and (active_until is null or active_until > now())
    union all
    select 'collectible', null where ${isWaivedByCollectible(accountId, collections)}
    order by "activeUntil" desc nulls first limit 1`)
}

/**
 * Grants the activation waiver, once per account and only while the offer stands. A collectible that waives the fees
 * anyway rules it out. False when it was not granted.
 * @param collections Collections whose tokens waive fees.
 */
export async function insertActivationWaiver(
  connection: CommonQueryMethods,
  accountId: string,
  collections: readonly CollectionKey[],
  offer: { claimDays: number; waiverDays: number },
): Promise<boolean> {
  const { rowCount } = await connection.query(sql.typeAlias('void')`
    insert into fee_waiver (account_id, source, active_until)
    select id, 'activation', now() + make_interval(days => ${offer.waiverDays}) from account
    where id = ${accountId} and created_at + make_interval(days => ${offer.claimDays}) > now()
      and not ${isWaivedByCollectible(accountId, collections)}
    on conflict do nothing`)
  return rowCount > 0
}

const signerRow = z.object({ authAddress: z.string() })

/** The address that signs in to an account; null for an unknown account. */
export async function findSignerOf(
  connection: CommonQueryMethods,
  accountId: string,
): Promise<string | null> {
  const row = await connection.maybeOne(sql.type(signerRow)`
    select auth_address as "authAddress" from account where id = ${accountId}::uuid`)
  return row?.authAddress ?? null
}

/** Records that the offer was claimed. @param mark A keyed hash of the sign-in address, 32 bytes. */
export async function insertSpentOffer(connection: CommonQueryMethods, mark: Buffer): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    insert into spent_offer (signer_hash) values (${sql.binary(mark)}) on conflict do nothing`)
}

/** Marks a new account whose address claimed the offer before: its waiver has ended. */
export async function endSpentOffer(
  connection: CommonQueryMethods,
  accountId: string,
  mark: Buffer,
): Promise<void> {
  await connection.query(sql.typeAlias('void')`
    insert into fee_waiver (account_id, source, active_until)
    select ${accountId}::uuid, 'activation', now() from spent_offer where signer_hash = ${sql.binary(mark)}
    on conflict do nothing`)
}

const offerRow = z.object({ expiresAt: z.date() })

/** End of the period in which the account may claim the activation offer; null once claimed or over. */
export async function findOfferExpiry(
  connection: CommonQueryMethods,
  accountId: string,
  claimDays: number,
): Promise<Date | null> {
  const row = await connection.maybeOne(sql.type(offerRow)`
    select created_at + make_interval(days => ${claimDays}) as "expiresAt" from account
    where id = ${accountId} and created_at + make_interval(days => ${claimDays}) > now()
      and not exists (select from fee_waiver where account_id = account.id and source = 'activation')`)
  return row?.expiresAt ?? null
}

const feeTermsRow = z.object({ waived: z.boolean(), discountBps: z.int() })
/** An account's terms for service fees: waived, or discounted by so many basis points. */
type FeeTermsRow = z.output<typeof feeTermsRow>

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
