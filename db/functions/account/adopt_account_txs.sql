-- Lists transactions that were indexed before the address was added: those of an account that was deleted and
-- recreated.
create or replace function adopt_account_txs() returns trigger language plpgsql
set enable_seqscan = off
as $$
begin
  insert into account_tx (account_id, chain_id, tx_hash, block_number, block_time, tx_index)
  select new.account_id, chain_id, tx_hash, block_number, block_time, tx_index
  from address_tx where address = new.address
  on conflict do nothing;
  return null;
end $$;

create or replace trigger stealth_address_txs after insert on stealth_address
  for each row execute function adopt_account_txs();
