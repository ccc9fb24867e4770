-- Counts requests or quotes by outcome: totals plus the rows since their mark. Read by db/pool/relay/relay-requests.ts
-- and db/transact/count-usage.ts.
create or replace function end_counts(counted text) returns table (status text, ended bigint) language plpgsql stable
set enable_seqscan = off
set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
  since constant timestamptz := (select folded_to from total_mark where book = counted);
begin
  if counted = 'relay_request' then
    return query select status, sum(ended)::bigint from (
      select status, ended from end_total where book = counted
      union all select status, 1 from relay_request where updated_at > since and status <> 'broadcast'
      union all select status, 1 from relay_request where status = 'broadcast'
    ) as counted_ends group by status;
  else
    return query select status, sum(ended)::bigint from (
      select status, ended from end_total where book = counted
      union all select status, 1 from quote where ended_at > since and status in ('confirmed', 'failed')
      union all select status, 1 from quote where status in ('locked', 'submitted')
    ) as counted_ends group by status;
  end if;
end $$;
