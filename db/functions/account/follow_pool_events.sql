-- Rewrites the deposits that pool events made, reviewed, or recovered. The lock makes writers of events and adopters of
-- addresses see each other's rows; any constant does, as long as nothing else locks it.
create or replace function follow_pool_events() returns trigger language plpgsql
set enable_seqscan = off
as $$
begin
  if not exists (select from changed where kind in ('deposit', 'ragequit')) then return null; end if;
  perform pg_advisory_xact_lock(7236514989);
  perform write_account_deposits(array_agg(chain_id), array_agg(block_hash), array_agg(log_index))
  from changed where kind = 'deposit';
  perform write_account_deposits(array_agg(known.chain_id), array_agg(known.block_hash), array_agg(known.log_index))
  from changed cross join lateral (
    select chain_id, block_hash, log_index from account_deposit
    where account_deposit.label = changed.label and account_deposit.chain_id = changed.chain_id
      and pool = changed.contract offset 0
  ) as known
  where kind = 'ragequit';
  return null;
end $$;

create or replace trigger pool_event_added after insert on pool_event
  referencing new table as changed for each statement execute function follow_pool_events();

create or replace trigger pool_event_removed after delete on pool_event
  referencing old table as changed for each statement execute function follow_pool_events();
