-- Counts changes for the accounts of pool events. A deposit and its ragequit name their account; a ragequit also
-- changes its deposit.
create or replace function tell_changed_pool_events() returns trigger language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
begin
  perform tell_account_changes(
    accounts_of_transactions(
      array_agg(chain_id) filter (where account is null), array_agg(tx_hash) filter (where account is null)
    ) || accounts_of_addresses(array_agg(account) filter (where account is not null)))
  from (
    select chain_id, tx_hash, null as account from changed where kind in ('relay', 'withdrawal', 'ragequit')
    union all
    select null, null, account from changed where account is not null
    union all
    select event.chain_id, event.tx_hash, null from changed cross join lateral (
      select pool_event.chain_id, pool_event.tx_hash from pool_event
      where pool_event.label = changed.label and pool_event.contract = changed.contract
        and pool_event.chain_id = changed.chain_id and pool_event.kind = 'ragequit' offset 0
    ) as event where changed.kind = 'deposit'
  ) as told having count(*) > 0;
  return null;
end $$;

create or replace trigger pool_event_tells_delete after delete on pool_event
  referencing old table as changed for each statement execute function tell_changed_pool_events();

create or replace trigger pool_event_tells_insert after insert on pool_event
  referencing new table as changed for each statement execute function tell_changed_pool_events();
