import type { CommonQueryMethods } from 'slonik'
import { sql } from '../../connect-database.ts'
import { type AccountTable } from '../../account-table.ts'

/** How an account's erasure and export treat the table. Rows are found by referral_attribution, whose rows go after them. */
export const referralEarningTable: AccountTable = {
  table: 'referral_earning',
  own: (accountId) => sql.fragment`attribution_id in (
    select id from referral_attribution where referrer_account_id = ${accountId})`,
  // The time and the fee would identify the referred account's payment on the chain.
  omit: ['quote_id', 'attribution_id', 'service_fee', 'booked_at'],
}

/** The shares of one service fee. Amounts in the token's smallest unit, dollars in millionths. */
export interface NewEarning {
  quoteId: string
  attributionId: string
  chainId: number
  token: string
  serviceFee: bigint
  referrerShare: bigint
  /** Null where the fee had no price. */
  referrerShareUsdMicros: bigint | null
}

/** Books an earning. False, with nothing changed, when the quote's earning was booked before. */
export async function insertEarning(connection: CommonQueryMethods, earning: NewEarning): Promise<boolean> {
  const { rowCount } = await connection.query(sql.typeAlias('void')`
    insert into referral_earning (quote_id, attribution_id, chain_id, token, service_fee, referrer_share,
      referrer_share_usd_micros)
    values (${earning.quoteId}, ${earning.attributionId}, ${earning.chainId}, ${earning.token},
      ${earning.serviceFee}, ${earning.referrerShare}, ${earning.referrerShareUsdMicros})
    on conflict (quote_id) do nothing`)
  return rowCount > 0
}
