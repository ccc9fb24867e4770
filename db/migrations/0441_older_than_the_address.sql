-- What an address received before the service issued it is older. Clocks of chains run ahead and behind, so what was indexed by
-- then tells it: the newest block that was, null where none is known.
alter table indexed_block add column indexed_at timestamptz;
alter table indexed_block alter column indexed_at set default now();
alter table watched_address add column early_to bigint;

-- As in 0320; that an address was looked for in the newest blocks changes what is known as well.
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
