import type { CommonQueryMethods } from 'slonik'
import { z } from 'zod'
import { sql } from '../connect-database.ts'

const count = z.bigint().transform(Number)
const usageRow = z.object({
  accounts: count,
  submitted: count,
  confirmed: count,
  failed: count,
  /** Referrers' shares that could not be booked yet. */
  unbooked: count,
  /** Submitted quotes that could not be ended at the settlement of their transaction. */
  unended: count,
})
/** Numbers of accounts, of submitted quotes by status, and of failed bookings. */
export type UsageRow = z.output<typeof usageRow>

/** Most accounts that are counted exactly; beyond that PostgreSQL's estimate is good enough. */
const COUNTED = 10_000

/** Counts accounts (an estimate if there are many), submitted quotes by outcome, and failed bookings. */
export function countUsage(connection: CommonQueryMethods): Promise<UsageRow> {
  return connection.one(sql.type(usageRow)`
    select (
        select case when reltuples > ${COUNTED}::int4 then reltuples::int8 else (select count(*) from account) end
        from pg_class where oid = 'account'::regclass
      ) as accounts,
      (select count(*) from quote where status in ('locked', 'submitted') and status = 'submitted') as submitted,
      coalesce(sum(ended) filter (where status = 'confirmed'), 0)::int8 as confirmed,
      coalesce(sum(ended) filter (where status = 'failed'), 0)::int8 as failed,
      (select count(*) from unbooked_earning) as unbooked,
      (select count(distinct quote_id) from intent cross join lateral (
          select settled_at from intent_batch join outbound_tx on outbound_tx.id = outbound_id
          where intent_batch.id = intent.batch_id offset 0
        ) as carrier
        where intent.status = 'batched' and settled_at is not null) as unended
    from end_counts('quote')`)
}
