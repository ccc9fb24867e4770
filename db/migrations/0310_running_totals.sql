-- Sums of tables that only grow, as the operator's pages and metrics show them, without reading millions of rows each time: what
-- was booked long ago is folded into totals, and a reader adds what came since. Booking itself does nothing more than before.

-- Up to when the rows of a table are in the totals, by the column that says when they were booked or ended.
create table total_mark (
  book text primary key,
  folded_to timestamptz not null default '-infinity'
);
insert into total_mark (book) values ('relay_ledger'), ('relay_request'), ('send_income'), ('send_gas'), ('quote');
comment on table total_mark is 'Up to when the rows of a book are in the totals.';

create table relay_total (
  chain_id bigint not null,
  asset text not null,
  relays bigint not null,
  withdrawn numeric not null,
  fee_received numeric not null,
  gas_spent numeric not null,
  top_up_spent numeric not null,
  primary key (chain_id, asset)
);
comment on table relay_total is 'Sums of relay_ledger up to its mark.';

create table send_total (
  chain_id bigint not null,
  token text not null,
  sends bigint not null default 0,
  network_fee numeric not null default 0,
  service_fee numeric not null default 0,
  gas_spent numeric not null default 0,
  gas_unpaid numeric not null default 0,
  primary key (chain_id, token)
);
comment on table send_total is 'Sums of send_income and send_gas up to their marks.';

-- Of relay_request and quote: how many ended so.
create table end_total (
  book text not null,
  status text not null,
  ended bigint not null,
  primary key (book, status)
);
comment on table end_total is 'Numbers of relay requests and quotes by how they ended, up to their marks.';

-- Not by the plain column: PostgreSQL would look for a pool's newest relays in it, and through all others' where it has none.
create index relay_ledger_booked on relay_ledger (greatest(booked_at, '-infinity'));
create index send_income_booked on send_income (booked_at);
create index send_gas_booked on send_gas (booked_at);
create index quote_settled on quote (ended_at) where status in ('confirmed', 'failed');

-- Rows get the time of their transaction's start, so all that are older than the oldest transaction under way are there.
create function folding_horizon(margin interval) returns timestamptz language sql volatile as $$
  select least(clock_timestamp() - margin, min(xact_start)) from pg_stat_activity where datname = current_database()
$$;

-- Adds at most some rows of each book to the totals, in one transaction with its mark.
-- Returns whether there may be more.
create function fold_totals(most integer, margin interval) returns boolean language plpgsql
set enable_seqscan = off set plan_cache_mode = force_custom_plan as $$
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
    elsif folded.name = 'send_income' then
      insert into send_total as total (chain_id, token, network_fee, service_fee)
      select chain_id, token, sum(network_fee), sum(service_fee)
      from send_income where booked_at > since and booked_at <= upto group by chain_id, token
      on conflict (chain_id, token) do update set network_fee = total.network_fee + excluded.network_fee,
        service_fee = total.service_fee + excluded.service_fee;
    elsif folded.name = 'send_gas' then
      insert into send_total as total (chain_id, token, sends, gas_spent, gas_unpaid)
      select chain_id, token, count(*) filter (where executed), sum(gas_spent),
        coalesce(sum(gas_spent) filter (where not executed), 0)
      from send_gas where booked_at > since and booked_at <= upto group by chain_id, token
      on conflict (chain_id, token) do update set sends = total.sends + excluded.sends,
        gas_spent = total.gas_spent + excluded.gas_spent, gas_unpaid = total.gas_unpaid + excluded.gas_unpaid;
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

-- The readers see totals, marks and rows of one moment, because they are stable.
create function relay_sums() returns setof relay_total language plpgsql stable
set enable_seqscan = off set plan_cache_mode = force_custom_plan as $$
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

create function send_sums() returns setof send_total language plpgsql stable
set enable_seqscan = off set plan_cache_mode = force_custom_plan as $$
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

create function end_counts(counted text) returns table (status text, ended bigint) language plpgsql stable
set enable_seqscan = off set plan_cache_mode = force_custom_plan as $$
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
