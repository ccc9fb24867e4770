import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../column-types.ts'
import { sql } from '../connect-database.ts'

const candidateRow = z.object({
  address: hexText,
  derivationNonce: smallInteger,
  /** Smallest unit. */
  amount: z.bigint(),
  /** Amount that quotes have reserved of it. */
  locked: z.bigint(),
  /** True if part of `locked` was spent and `amount` no longer includes it: that part can be released. */
  hasSpent: z.boolean(),
  /** True if it sent before, hence is already delegated. */
  hasSent: z.boolean(),
  /** True if an app knows it. */
  isShown: z.boolean(),
})
/** An address of an account with its balance of one token. */
export type CandidateRow = z.output<typeof candidateRow>

/** Lists the account's addresses with a balance of the token. One query. */
export function listFundingCandidates(
  connection: CommonQueryMethods,
  accountId: string,
  { chainId, token }: { chainId: number; token: string },
): Promise<readonly CandidateRow[]> {
  return connection.any(sql.type(candidateRow)`
    select address, derivation_nonce as "derivationNonce", holding.amount,
      coalesce(locked_funds.amount, 0) as locked,
      coalesce(locked_funds.amount, 0) > 0 and exists (
        select from reservation
        where (reservation.chain_id, reservation.address, reservation.token) = (holding.chain_id, address, holding.token)
          and released_at is null and spent_in_block <= as_of_number
      ) as "hasSpent",
      exists (
        select from intent_event
        where eoa = address and intent_event.chain_id = holding.chain_id and incremented
      ) as "hasSent",
      exists (select from dapp_use where dapp_use.address = stealth_address.address) as "isShown"
    from stealth_address
    join holding using (address)
    left join locked_funds using (chain_id, address, token)
    where holding.owner_account_id = ${accountId}::uuid and holding.chain_id = ${chainId} and holding.token = ${token}
      and standard in ('native', 'erc20') and holding.amount > 0
    order by derivation_nonce`)
}
