import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { hexText, smallInteger } from '../column-types.ts'
import { sql } from '../connect-database.ts'

const candidateRow = z.object({
  address: hexText,
  derivationNonce: smallInteger,
  /** Smallest unit. */
  amount: z.bigint(),
  /** What quotes have promised of it. */
  locked: z.bigint(),
  /** Of what is locked some was spent, and `amount` does not count it any more: it can be released. */
  hasSpent: z.boolean(),
  /** It has sent before, so that it will delegate by now. */
  hasSent: z.boolean(),
  /** An app knows it. */
  isShown: z.boolean(),
})
/** An address of an account with what it has of one token. */
export type CandidateRow = z.output<typeof candidateRow>

/** The account's addresses that have something of the token. One query. */
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
