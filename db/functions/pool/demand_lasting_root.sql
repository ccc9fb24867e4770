-- Raises an error if the pool would forget the root before the relay is mined: a pool remembers 64 roots, and each
-- relay inserts one. Called by the statement that writes the request (db/pool/relay/relay-requests.ts).
--   landed: nullifier hashes spent in the pool after block `as_of`. A mined relay without a written receipt is both a
-- root of the pool and a pending request; this counts it once.
create or replace function demand_lasting_root(
  chain bigint, pool_address text, inserted integer, as_of bigint, reserve integer, landed numeric[] default '{}'
)
returns boolean language plpgsql volatile
as $$
declare
  pool_lock constant bigint := hashtextextended('roots of ' || chain || ' ' || pool_address, 0);
  under_way integer;
begin
  select count(*) into under_way from relay_request
  where chain_id = chain and pool = pool_address and status = 'broadcast';
  -- Far from the limit, requests do not wait for each other: 24 concurrent ones would not reach it either.
  if inserted + under_way + reserve + 24 < 64 then
    perform pg_advisory_xact_lock_shared(pool_lock);
    return true;
  end if;

  -- Waits for concurrent inserts; each statement here sees rows committed before it began.
  perform pg_advisory_xact_lock(pool_lock);
  select
    (select count(*) from relay_request join outbound_tx on outbound_tx.id = outbound_id
      where relay_request.chain_id = chain and pool = pool_address and relay_request.status = 'broadcast'
        and (mined_block_number is null or mined_block_number > as_of)
        and nullifier_hash <> all (landed))
    -- Final here before the pool's reader saw its block.
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
