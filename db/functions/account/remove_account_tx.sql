-- Removes a transaction from the account's list unless another address of the account was in it.
create or replace function remove_account_tx() returns trigger language plpgsql
set enable_seqscan = off
as $$
declare
  owner uuid := (select account_id from stealth_address where address = old.address);
begin
  delete from account_tx
  where account_id = owner and block_time = old.block_time and -chain_id = -old.chain_id
    and block_number = old.block_number and tx_index = old.tx_index and tx_hash = old.tx_hash
    and not exists (
      select from address_tx as other join stealth_address on stealth_address.address = other.address
      where other.chain_id = old.chain_id and other.block_number = old.block_number
        and other.tx_hash = old.tx_hash and stealth_address.account_id = owner);
  return null;
end $$;

create or replace trigger address_tx_removed after delete on address_tx
  for each row execute function remove_account_tx();
