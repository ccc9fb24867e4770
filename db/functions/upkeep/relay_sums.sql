-- Sums the relay ledger: totals plus the rows since their mark, in one snapshot because the function is stable. Read by
-- db/pool/relay/relay-ledger.ts.
create or replace function relay_sums() returns setof relay_total language plpgsql stable
set enable_seqscan = off
set plan_cache_mode = force_custom_plan
as $$
declare
  since constant timestamptz := (select folded_to from total_mark where book = 'relay_ledger');
begin
  return query select chain_id, asset, sum(relays)::bigint, sum(withdrawn), sum(fee_received), sum(gas_spent),
    sum(top_up_spent)
  from (
    select chain_id, asset, relays, withdrawn, fee_received, gas_spent, top_up_spent from relay_total
    union all
    select chain_id, asset, (withdrawn > 0)::int4, withdrawn, fee_received, gas_spent, top_up_spent
    from relay_ledger where greatest(booked_at, '-infinity') > since
  ) as booked group by chain_id, asset;
end $$;
