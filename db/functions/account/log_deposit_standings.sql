-- Logs deposits into pools whose standing is another, and the pooled balance with each.
create or replace function log_deposit_standings() returns trigger language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
begin
  perform write_account_events(array_agg(account_id), array_agg(what.kind), array_agg(what.subject))
  from changed
  left join lateral (
    select asset from pool_event
    where pool_event.chain_id = changed.chain_id and kind = 'pool-registered' and pool_event.pool = changed.pool limit 1
  ) as registered on true
  cross join lateral (values
    ('deposit', case when label is not null then concat_ws(' ', chain_id, changed.pool, label) end),
    ('balance', case when asset is not null then concat_ws(' ', chain_id, asset) end),
    ('review', '')
  ) as what (kind, subject)
  where what.subject is not null;
  return null;
end $$;

create or replace trigger account_deposit_logs_insert after insert on account_deposit
  referencing new table as changed for each statement execute function log_deposit_standings();

create or replace trigger account_deposit_logs_update after update on account_deposit
  referencing new table as changed for each statement execute function log_deposit_standings();

create or replace trigger account_deposit_logs_delete after delete on account_deposit
  referencing old table as changed for each statement execute function log_deposit_standings();
