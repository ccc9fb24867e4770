-- Sums sends: totals plus the rows since their marks, in one snapshot because the function is stable. Read by
-- db/transact/send-ledger.ts.
create or replace function send_sums() returns setof send_total language plpgsql stable
set enable_seqscan = off
set plan_cache_mode = force_custom_plan
as $$
declare
  income_since constant timestamptz := (select folded_to from total_mark where book = 'send_income');
  gas_since constant timestamptz := (select folded_to from total_mark where book = 'send_gas');
begin
  return query select chain_id, token, sum(sends)::bigint, sum(network_fee), sum(service_fee), sum(gas_spent),
    sum(gas_unpaid)
  from (
    select * from send_total
    union all
    select chain_id, token, 0, network_fee, service_fee, 0, 0 from send_income where booked_at > income_since
    union all
    select chain_id, token, executed::int4, 0, 0, gas_spent, case when executed then 0 else gas_spent end
    from send_gas where booked_at > gas_since
  ) as booked group by chain_id, token;
end $$;
