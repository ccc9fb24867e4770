-- Counts changes for the accounts of addresses whose watched blocks changed.
create or replace function tell_rewatched_addresses() returns trigger language plpgsql as $$
begin
  perform tell_account_changes(accounts_of_addresses(array_agg(address)))
  from changed join removed using (chain_id, address)
  where changed.live_from <> removed.live_from
    or (changed.history_next is null) <> (removed.history_next is null)
    or (changed.near_from is null) <> (removed.near_from is null)
  having count(*) > 0;
  return null;
end $$;

create or replace trigger watched_address_tells_update after update on watched_address
  referencing old table as removed new table as changed for each statement execute function tell_rewatched_addresses();
