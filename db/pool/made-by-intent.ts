import { sql } from '../connect-database.ts'

/**
 * Condition: an intent of an account here made the row `deposit` of `pool_event`. A withdrawal by this service's
 * signers probably stems from such a deposit; an observer who assumes so discounts all others.
 */
export const isMadeByIntent = sql.fragment`exists (
  select from intent_event
  where intent_event.chain_id = deposit.chain_id and intent_event.tx_hash = deposit.tx_hash
    and intent_event.eoa = deposit.account)`
