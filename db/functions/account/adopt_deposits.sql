-- Adds deposits that were indexed before the address was added. Takes the same lock as follow_pool_events.
create or replace function adopt_deposits() returns trigger language plpgsql
set enable_seqscan = off
as $$
begin
  perform pg_advisory_xact_lock_shared(7236514989);
  perform write_account_deposits(array_agg(chain_id), array_agg(block_hash), array_agg(log_index))
  from added cross join lateral (
    select chain_id, block_hash, log_index from pool_event
    where pool_event.account = added.address and kind = 'deposit' offset 0
  ) as deposit;
  return null;
end $$;

create or replace trigger stealth_address_deposits after insert on stealth_address
  referencing new table as added for each statement execute function adopt_deposits();
