-- The count of an account's changes (0320) also stands for what its activity shows: which transactions touched it, what it put into
-- pools, which of its intents ran, and how its orders over a bridge stand. What quotes, cash-outs and the ASP say is not counted.

create trigger address_tx_tells_insert after insert on address_tx
  referencing new table as changed for each statement execute function tell_watched_addresses();
create trigger address_tx_tells_delete after delete on address_tx
  referencing old table as changed for each statement execute function tell_watched_addresses();

-- A deposit and what takes it back name their account. A deposit is told of by the ragequit as well.
create or replace function tell_changed_pool_events() returns trigger language plpgsql
set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
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

-- An intent may run in a transaction that moves nothing of its address.
create function tell_changed_intents() returns trigger language plpgsql as $$
begin
  perform tell_account_changes(accounts_of_transactions(array_agg(chain_id), array_agg(tx_hash))
    || accounts_of_addresses(array_agg(eoa))) from changed;
  return null;
end $$;

drop trigger intent_event_tells_insert on intent_event;
drop trigger intent_event_tells_delete on intent_event;
create trigger intent_event_tells_insert after insert on intent_event
  referencing new table as changed for each statement execute function tell_changed_intents();
create trigger intent_event_tells_delete after delete on intent_event
  referencing old table as changed for each statement execute function tell_changed_intents();

-- All of an order but when it is looked at next, and when it was looked at.
create or replace function tell_moved_orders() returns trigger language plpgsql as $$
begin
  perform tell_account_changes(array_agg(account_id)) from (
    select changed.account_id from changed join removed using (quote_id)
    where to_jsonb(changed) - '{origin_due,destination_due,updated_at}'::text[]
      <> to_jsonb(removed) - '{origin_due,destination_due,updated_at}'::text[]
  ) as told;
  return null;
end $$;
