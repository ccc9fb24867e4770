-- For tables with an address: counts changes for its account.
create or replace function tell_watched_addresses() returns trigger language plpgsql as $$
begin
  perform tell_account_changes(accounts_of_addresses(array_agg(address))) from changed;
  return null;
end $$;

create or replace trigger address_tx_tells_delete after delete on address_tx
  referencing old table as changed for each statement execute function tell_watched_addresses();

create or replace trigger address_tx_tells_insert after insert on address_tx
  referencing new table as changed for each statement execute function tell_watched_addresses();

create or replace trigger watched_address_tells_delete after delete on watched_address
  referencing old table as changed for each statement execute function tell_watched_addresses();

create or replace trigger watched_address_tells_insert after insert on watched_address
  referencing new table as changed for each statement execute function tell_watched_addresses();
