-- No totals are folded meanwhile (functions/upkeep/fold_totals.sql): a fold that runs now does not know this table.
select pg_advisory_xact_lock(7236514990);

create table daily_total (
  -- In UTC.
  day date not null,
  chain_id bigint not null,
  token text not null,
  duty text not null check (duty in ('relays', 'sends')),
  acts bigint not null default 0,
  fees numeric not null default 0,
  gas_spent numeric not null default 0,
  gas_unpaid numeric not null default 0,
  primary key (day, chain_id, token, duty)
);
comment on table daily_total is 'Sums of relay_ledger, send_income and send_gas by day, up to their marks. acts: relays and sends that were executed. Fees in the token''s smallest unit, gas in wei; gas_spent includes coins sent along with relays.';

insert into daily_total (day, chain_id, token, duty, acts, fees, gas_spent, gas_unpaid)
select day, chain_id, token, duty, sum(acts), sum(fees), sum(gas_spent), sum(gas_unpaid) from (
  select (booked_at at time zone 'UTC')::date as day, chain_id, asset as token, 'relays' as duty,
    (withdrawn > 0)::int4 as acts, fee_received as fees, gas_spent + top_up_spent as gas_spent,
    case when withdrawn > 0 then 0 else gas_spent end as gas_unpaid
  from relay_ledger
  where greatest(booked_at, '-infinity') <= (select folded_to from total_mark where book = 'relay_ledger')
  union all
  select (booked_at at time zone 'UTC')::date, chain_id, token, 'sends', 0, network_fee + service_fee, 0, 0
  from send_income where booked_at <= (select folded_to from total_mark where book = 'send_income')
  union all
  select (booked_at at time zone 'UTC')::date, chain_id, token, 'sends', executed::int4, 0, gas_spent,
    case when executed then 0 else gas_spent end
  from send_gas where booked_at <= (select folded_to from total_mark where book = 'send_gas')
) as booked group by day, chain_id, token, duty;
