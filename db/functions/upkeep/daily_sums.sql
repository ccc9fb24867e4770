-- Sums the books by day: totals plus the rows since their marks, in one snapshot because the function is stable. Read by
-- db/daily-books.ts.
create or replace function daily_sums(first_day date, last_day date) returns setof daily_total language plpgsql stable
set enable_seqscan = off
set plan_cache_mode = force_custom_plan
as $$
declare
  relays_since constant timestamptz := (select folded_to from total_mark where book = 'relay_ledger');
  income_since constant timestamptz := (select folded_to from total_mark where book = 'send_income');
  gas_since constant timestamptz := (select folded_to from total_mark where book = 'send_gas');
begin
  return query select day, chain_id, token, duty, sum(acts)::bigint, sum(fees), sum(gas_spent), sum(gas_unpaid)
  from (
    select * from daily_total where day between first_day and last_day
    union all
    select (booked_at at time zone 'UTC')::date, chain_id, asset, 'relays', (withdrawn > 0)::int4, fee_received,
      gas_spent + top_up_spent, case when withdrawn > 0 then 0 else gas_spent end
    from relay_ledger where greatest(booked_at, '-infinity') > relays_since
    union all
    select (booked_at at time zone 'UTC')::date, chain_id, token, 'sends', 0, network_fee + service_fee, 0, 0
    from send_income where booked_at > income_since
    union all
    select (booked_at at time zone 'UTC')::date, chain_id, token, 'sends', executed::int4, 0, gas_spent,
      case when executed then 0 else gas_spent end
    from send_gas where booked_at > gas_since
  ) as booked where day between first_day and last_day group by day, chain_id, token, duty;
end $$;
