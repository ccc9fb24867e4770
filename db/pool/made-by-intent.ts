import { sql } from '../connect-database.ts'

/**
 * Whether a row `deposit` of `pool_event` was made by an intent of an account here. Who leaves a pool by this service's signers
 * probably came in so: the others hide nobody from who thinks that.
 */
export const isMadeByIntent = sql.fragment`exists (
  select from intent_event
  where intent_event.chain_id = deposit.chain_id and intent_event.tx_hash = deposit.tx_hash
    and intent_event.eoa = deposit.account)`
