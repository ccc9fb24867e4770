-- Adds at most `most` rows of each book to the totals, in one transaction with its mark. Returns true if more may be
-- left. Called by db/upkeep-tasks.ts.
create or replace function fold_totals(most integer, margin interval) returns boolean language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_custom_plan
as $$
declare
  horizon timestamptz;
  since timestamptz;
  upto timestamptz;
  folded record;
  is_behind boolean := false;
begin
  if not pg_try_advisory_xact_lock(7236514990) then return false; end if;
  horizon := folding_horizon(margin);
  for folded in
    select * from (values ('relay_ledger', $c$greatest(booked_at, '-infinity')$c$, 'true'),
      ('relay_request', 'updated_at', $c$status <> 'broadcast'$c$),
      ('send_income', 'booked_at', 'true'), ('send_gas', 'booked_at', 'true'),
      ('quote', 'ended_at', $c$status in ('confirmed', 'failed')$c$)) as books (name, clock, condition)
  loop
    select folded_to into since from total_mark where book = folded.name for update;
    execute format('select %2$s from %1$I where %2$s > $1 and %2$s < $2 and %3$s order by %2$s offset $3 limit 1',
      folded.name, folded.clock, folded.condition) into upto using since, horizon, most - 1;
    is_behind := is_behind or upto is not null;
    upto := coalesce(upto, greatest(since, horizon - interval '1 microsecond'));
    if folded.name = 'relay_ledger' then
      insert into relay_total as total
      select chain_id, asset, count(*) filter (where withdrawn > 0), sum(withdrawn), sum(fee_received), sum(gas_spent),
        sum(top_up_spent)
      from relay_ledger where greatest(booked_at, '-infinity') > since and greatest(booked_at, '-infinity') <= upto
      group by chain_id, asset
      on conflict (chain_id, asset) do update set relays = total.relays + excluded.relays,
        withdrawn = total.withdrawn + excluded.withdrawn, fee_received = total.fee_received + excluded.fee_received,
        gas_spent = total.gas_spent + excluded.gas_spent, top_up_spent = total.top_up_spent + excluded.top_up_spent;
      insert into daily_total as daily
      select (booked_at at time zone 'UTC')::date, chain_id, asset, 'relays', count(*) filter (where withdrawn > 0),
        sum(fee_received), sum(gas_spent + top_up_spent), coalesce(sum(gas_spent) filter (where withdrawn <= 0), 0)
      from relay_ledger where greatest(booked_at, '-infinity') > since and greatest(booked_at, '-infinity') <= upto
      group by 1, 2, 3
      on conflict (day, chain_id, token, duty) do update set acts = daily.acts + excluded.acts,
        fees = daily.fees + excluded.fees, gas_spent = daily.gas_spent + excluded.gas_spent,
        gas_unpaid = daily.gas_unpaid + excluded.gas_unpaid;
    elsif folded.name = 'send_income' then
      insert into send_total as total (chain_id, token, network_fee, service_fee)
      select chain_id, token, sum(network_fee), sum(service_fee)
      from send_income where booked_at > since and booked_at <= upto group by chain_id, token
      on conflict (chain_id, token) do update set network_fee = total.network_fee + excluded.network_fee,
        service_fee = total.service_fee + excluded.service_fee;
      insert into daily_total as daily
      select (booked_at at time zone 'UTC')::date, chain_id, token, 'sends', 0, sum(network_fee + service_fee), 0, 0
      from send_income where booked_at > since and booked_at <= upto group by 1, 2, 3
      on conflict (day, chain_id, token, duty) do update set acts = daily.acts + excluded.acts,
        fees = daily.fees + excluded.fees, gas_spent = daily.gas_spent + excluded.gas_spent,
        gas_unpaid = daily.gas_unpaid + excluded.gas_unpaid;
    elsif folded.name = 'send_gas' then
      insert into send_total as total (chain_id, token, sends, gas_spent, gas_unpaid)
      select chain_id, token, count(*) filter (where executed), sum(gas_spent),
        coalesce(sum(gas_spent) filter (where not executed), 0)
      from send_gas where booked_at > since and booked_at <= upto group by chain_id, token
      on conflict (chain_id, token) do update set sends = total.sends + excluded.sends,
        gas_spent = total.gas_spent + excluded.gas_spent, gas_unpaid = total.gas_unpaid + excluded.gas_unpaid;
      insert into daily_total as daily
      select (booked_at at time zone 'UTC')::date, chain_id, token, 'sends', count(*) filter (where executed), 0,
        sum(gas_spent), coalesce(sum(gas_spent) filter (where not executed), 0)
      from send_gas where booked_at > since and booked_at <= upto group by 1, 2, 3
      on conflict (day, chain_id, token, duty) do update set acts = daily.acts + excluded.acts,
        fees = daily.fees + excluded.fees, gas_spent = daily.gas_spent + excluded.gas_spent,
        gas_unpaid = daily.gas_unpaid + excluded.gas_unpaid;
    elsif folded.name = 'relay_request' then
      insert into end_total as total
      select 'relay_request', status, count(*) from relay_request
      where updated_at > since and updated_at <= upto and status <> 'broadcast' group by status
      on conflict (book, status) do update set ended = total.ended + excluded.ended;
    else
      insert into end_total as total
      select 'quote', status, count(*) from quote
      where ended_at > since and ended_at <= upto and status in ('confirmed', 'failed') group by status
      on conflict (book, status) do update set ended = total.ended + excluded.ended;
    end if;
    update total_mark set folded_to = upto where book = folded.name;
  end loop;
  return is_behind;
end $$;
