-- Lists a transaction that touches an address once for the address's account.
create or replace function add_account_tx() returns trigger language plpgsql
set enable_seqscan = off
as $$
begin
  insert into account_tx (account_id, chain_id, tx_hash, block_number, block_time, tx_index)
  select account_id, new.chain_id, new.tx_hash, new.block_number, new.block_time, new.tx_index
  from stealth_address where address = new.address
  on conflict do nothing;
  return null;
end $$;

create or replace trigger address_tx_added after insert on address_tx
  for each row execute function add_account_tx();
