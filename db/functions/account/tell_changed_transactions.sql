-- Counts changes for the accounts with transfers in new or removed transactions.
create or replace function tell_changed_transactions() returns trigger language plpgsql as $$
begin
  perform tell_account_changes(accounts_of_transactions(array_agg(chain_id), array_agg(tx_hash))) from changed;
  return null;
end $$;

create or replace trigger indexed_tx_tells_delete after delete on indexed_tx
  referencing old table as changed for each statement execute function tell_changed_transactions();

create or replace trigger indexed_tx_tells_insert after insert on indexed_tx
  referencing new table as changed for each statement execute function tell_changed_transactions();
