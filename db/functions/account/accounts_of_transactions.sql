-- The accounts whose addresses have transfers in the transactions. Called by the functions that record changes of accounts.
create or replace function accounts_of_transactions(chains bigint[], hashes text[]) returns uuid[] language sql stable
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
  select accounts_of_addresses(array_agg(party.address)) from (
    select distinct * from unnest(chains, hashes) as tx (chain_id, tx_hash)
  ) as tx cross join lateral (
    select from_address, to_address from transfer
    where transfer.chain_id = tx.chain_id and transfer.tx_hash = tx.tx_hash offset 0
  ) as moved cross join lateral (values (from_address), (to_address)) as party (address)
$$;
