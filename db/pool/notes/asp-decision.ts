import { sql } from '../../connect-database.ts'

/**
 * The ASP's decision about a deposit, as in `account_deposit`. An approval counts once the label is in the list that
 * hashes to the chain's latest root. Reads the columns of `review`, an outer join of `asp_review`.
 */
export const ASP_DECISION = sql.fragment`case
  when review.status = 'approved' and not exists (
    select from asp_set where asp_set.chain_id = review.chain_id and asp_set.label = review.label
  ) then 'pending' else coalesce(review.status, 'pending') end`
