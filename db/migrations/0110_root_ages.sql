-- A pool remembers 64 roots, and each relay inserts one: what is under way counts before a relay of an old root is taken.

create index relay_request_under_way on relay_request (chain_id, pool) where status = 'broadcast';

-- True when a state root is still remembered after the relays of its pool that are under way, of all instances. Raises a
-- check violation named relay_request_root otherwise. Called by the statement that inserts the request, so that its locks
-- last until that statement has committed.
--   inserted: how many roots followed it by block `as_of`.
--   reserve: roots left for inserts that nobody here knows of, and counted only while relays are under way.
create function demand_lasting_root(chain bigint, pool_address text, inserted integer, as_of bigint, reserve integer)
returns boolean language plpgsql volatile as $$
declare
  pool_lock constant bigint := hashtextextended('roots of ' || chain || ' ' || pool_address, 0);
  under_way integer;
begin
  select count(*) into under_way from relay_request
  where chain_id = chain and pool = pool_address and status = 'broadcast';
  -- Far from the limit, requests do not wait for each other: 24 that run at this moment would not reach it either.
  if inserted + under_way + reserve + 24 < 64 then
    perform pg_advisory_xact_lock_shared(pool_lock);
    return true;
  end if;

  -- Waits for those that are being inserted; each statement here sees what was committed before it began.
  perform pg_advisory_xact_lock(pool_lock);
  select
    (select count(*) from relay_request join outbound_tx on outbound_tx.id = outbound_id
      where relay_request.chain_id = chain and pool = pool_address and relay_request.status = 'broadcast'
        and (mined_block_number is null or mined_block_number > as_of))
    -- Final here before its block was read there.
    + (select count(*) from relay_request join outbound_tx on outbound_tx.id = outbound_id
      where relay_request.chain_id = chain and pool = pool_address and relay_request.status = 'confirmed'
        and updated_at > now() - interval '10 minutes' and mined_block_number > as_of)
    into under_way;
  if inserted + under_way + (case when under_way > 0 then reserve else 0 end) < 64 then
    return true;
  end if;
  raise exception using errcode = 'check_violation', constraint = 'relay_request_root',
    message = format('%s roots followed and %s relays are under way', inserted, under_way);
end $$;
