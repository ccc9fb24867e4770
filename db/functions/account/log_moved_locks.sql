-- Logs tokens of which quotes lock another amount.
create or replace function log_moved_locks() returns trigger language plpgsql as $$
begin
  perform write_account_events(array_agg(changed.owner_account_id), array_agg('balance'::text),
    array_agg(concat_ws(' ', chain_id, token)))
  from changed join removed using (address, chain_id, token) where changed.amount <> removed.amount;
  return null;
end $$;

create or replace trigger locked_funds_logs_update after update on locked_funds
  referencing old table as removed new table as changed for each statement execute function log_moved_locks();

-- Logs tokens that a quote locks at an address for the first time.
create or replace function log_new_locks() returns trigger language plpgsql as $$
begin
  perform write_account_events(array_agg(owner_account_id), array_agg('balance'::text),
    array_agg(concat_ws(' ', chain_id, token)))
  from changed where amount > 0;
  return null;
end $$;

create or replace trigger locked_funds_logs_insert after insert on locked_funds
  referencing new table as changed for each statement execute function log_new_locks();
