-- Counts changes for the accounts of new or removed intent events. An intent may run in a transaction that moves
-- nothing of its address.
create or replace function tell_changed_intents() returns trigger language plpgsql as $$
begin
  perform tell_account_changes(accounts_of_transactions(array_agg(chain_id), array_agg(tx_hash))
    || accounts_of_addresses(array_agg(eoa))) from changed;
  return null;
end $$;

create or replace trigger intent_event_tells_delete after delete on intent_event
  referencing old table as changed for each statement execute function tell_changed_intents();

create or replace trigger intent_event_tells_insert after insert on intent_event
  referencing new table as changed for each statement execute function tell_changed_intents();
