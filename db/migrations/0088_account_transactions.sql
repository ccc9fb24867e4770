-- The transactions that touched an account, each once however many of its addresses it touched, in the order in which they
-- are listed: a page costs the same whatever the number of addresses. Kept by what writes address_tx, in its transactions;
-- one worker writes a chain's rows at a time, and rows of different chains never meet.
create table account_tx (
  account_id uuid not null references account (id) on delete cascade,
  chain_id bigint not null,
  tx_hash text not null,
  block_number bigint not null,
  block_time timestamptz not null,
  tx_index integer not null
);

-- Newest first, then by chain: the chain's number is negated so that one comparison of rows says what is older.
create unique index account_tx_newest on account_tx
  (account_id, block_time desc, (-chain_id) desc, block_number desc, tx_index desc, tx_hash);

create function add_account_tx() returns trigger language plpgsql as $$
begin
  insert into account_tx (account_id, chain_id, tx_hash, block_number, block_time, tx_index)
  select account_id, new.chain_id, new.tx_hash, new.block_number, new.block_time, new.tx_index
  from stealth_address where address = new.address
  on conflict do nothing;
  return null;
end $$;

-- Another address of the account may have been in the same transaction.
create function remove_account_tx() returns trigger language plpgsql as $$
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

-- Addresses that come after their transactions: those of an account that was deleted and made again.
create function adopt_account_txs() returns trigger language plpgsql as $$
begin
  insert into account_tx (account_id, chain_id, tx_hash, block_number, block_time, tx_index)
  select new.account_id, chain_id, tx_hash, block_number, block_time, tx_index
  from address_tx where address = new.address
  on conflict do nothing;
  return null;
end $$;

create trigger address_tx_added after insert on address_tx
  for each row execute function add_account_tx();
create trigger address_tx_removed after delete on address_tx
  for each row execute function remove_account_tx();
create trigger stealth_address_txs after insert on stealth_address
  for each row execute function adopt_account_txs();

-- What triggers look up, they look up by an index, whatever the tables held when their plans were made: a session keeps
-- plans, and one that was made over tables of a few rows would read these whole for each row once they have grown.
alter function add_account_tx() set enable_seqscan to off;
alter function remove_account_tx() set enable_seqscan to off;
alter function adopt_account_txs() set enable_seqscan to off;

insert into account_tx (account_id, chain_id, tx_hash, block_number, block_time, tx_index)
select distinct account_id, chain_id, tx_hash, block_number, block_time, tx_index
from address_tx join stealth_address using (address);
