-- Counts changes for the accounts of both ends of new or removed transfers.
create or replace function tell_changed_transfers() returns trigger language plpgsql as $$
begin
  perform tell_account_changes(accounts_of_addresses(array_agg(address))) from (
    select from_address as address from changed union select to_address from changed
  ) as party;
  return null;
end $$;

create or replace trigger transfer_tells_delete after delete on transfer
  referencing old table as changed for each statement execute function tell_changed_transfers();

create or replace trigger transfer_tells_insert after insert on transfer
  referencing new table as changed for each statement execute function tell_changed_transfers();
