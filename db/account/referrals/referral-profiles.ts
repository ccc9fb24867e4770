import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../../connect-database.ts'
import { byAccount } from '../../account-table.ts'

/** How an account's erasure and export treat the table. */
export const referralProfileTable = byAccount('referral_profile')

const codeRow = z.object({ code: z.string() })
const referrerRow = z.object({ code: z.string(), name: z.string().nullable() })

/** A referrer as the referred account sees it; `name` is null while the referrer has none. */
export type ReferrerRow = z.output<typeof referrerRow>

/**
 * Opens a profile under the given code unless the account has one. Returns its code; null when another account has the
 * given one.
 */
export async function openReferralProfile(
  connection: CommonQueryMethods,
  accountId: string,
  code: string,
): Promise<string | null> {
  await connection.query(sql.typeAlias('void')`
    insert into referral_profile (account_id, code) values (${accountId}, ${code}) on conflict do nothing`)
  const row = await connection.maybeOne(sql.type(codeRow)`
    select code from referral_profile where account_id = ${accountId}`)
  return row?.code ?? null
}

/** The profile behind a referral code; null for an unknown code and for a disabled account. */
export function findReferrerByCode(
  connection: CommonQueryMethods,
  code: string,
): Promise<ReferrerRow | null> {
  return connection.maybeOne(sql.type(referrerRow)`
    select profile.code, subdomain.name
    from referral_profile as profile
    join account on account.id = profile.account_id and account.disabled_at is null
    left join subdomain on subdomain.account_id = account.id
    where profile.code = ${code}`)
}

/**
 * Finds a referrer by name. A name whose account has no referral profile is not found, because a name alone says
 * nothing about referring.
 */
export function findReferrerByName(
  connection: CommonQueryMethods,
  name: string,
): Promise<ReferrerRow | null> {
  return connection.maybeOne(sql.type(referrerRow)`
    select profile.code, subdomain.name
    from subdomain
    join account on account.id = subdomain.account_id and account.disabled_at is null
    join referral_profile as profile on profile.account_id = account.id
    where subdomain.name = ${name}`)
}
