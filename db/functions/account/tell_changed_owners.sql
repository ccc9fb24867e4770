-- For tables that store the owner of their address: counts changes for it.
create or replace function tell_changed_owners() returns trigger language plpgsql as $$
begin
  perform tell_account_changes(array_agg(owner_account_id)) from (
    select distinct owner_account_id from changed where owner_account_id is not null
  ) as told;
  return null;
end $$;

create or replace trigger holding_tells_delete after delete on holding
  referencing old table as changed for each statement execute function tell_changed_owners();

create or replace trigger holding_tells_insert after insert on holding
  referencing new table as changed for each statement execute function tell_changed_owners();
