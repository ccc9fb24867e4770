-- Counts changes for owners whose amounts changed.
create or replace function tell_moved_holdings() returns trigger language plpgsql as $$
begin
  -- The block of the last read is not compared: a new read of an equal amount is no change.
  perform tell_account_changes(array_agg(owner_account_id)) from (
    select owner_account_id from (
      (select address, chain_id, standard, token, token_id, amount, stale, owner_account_id from changed
        except all select address, chain_id, standard, token, token_id, amount, stale, owner_account_id from removed)
      union all
      (select address, chain_id, standard, token, token_id, amount, stale, owner_account_id from removed
        except all select address, chain_id, standard, token, token_id, amount, stale, owner_account_id from changed)
    ) as moved where owner_account_id is not null
  ) as told;
  return null;
end $$;

create or replace trigger holding_tells_update after update on holding
  referencing old table as removed new table as changed for each statement execute function tell_moved_holdings();
