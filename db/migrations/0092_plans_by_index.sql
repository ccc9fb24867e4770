-- Holdings that were written in one statement with their address are counted already: those alone are added whose owner
-- was not known.
create or replace function adopt_holdings() returns trigger language plpgsql as $$
begin
  if not exists (
    select from holding where address = new.address and owner_account_id is distinct from new.account_id
  ) then return null; end if;
  with adopted as (
    update holding set owner_account_id = new.account_id
    where address = new.address and owner_account_id is distinct from new.account_id
    returning chain_id, standard, token, amount
  )
  insert into account_holding as held (account_id, chain_id, token, amount)
  select new.account_id, chain_id, token, sum(amount) from adopted
  where standard in ('native', 'erc20') and amount > 0
  group by chain_id, token order by chain_id, token
  on conflict (account_id, chain_id, token) do update set amount = held.amount + excluded.amount;
  return null;
end $$;

-- What triggers look up, they look up by an index, whatever the tables held when their plans were made: a session keeps
-- plans, and one that was made over tables of a few rows would read these whole for each row once they have grown.
alter function add_account_tx() set enable_seqscan to off;
alter function remove_account_tx() set enable_seqscan to off;
alter function adopt_account_txs() set enable_seqscan to off;
alter function set_owner_of_address() set enable_seqscan to off;
alter function adopt_holdings() set enable_seqscan to off;
alter function write_account_deposits(bigint[], text[], integer[]) set enable_seqscan to off;
alter function write_account_deposits(bigint[], text[], integer[]) set enable_hashjoin to off;
alter function write_account_deposits(bigint[], text[], integer[]) set enable_mergejoin to off;
alter function follow_pool_events() set enable_seqscan to off;
alter function follow_asp_reviews() set enable_seqscan to off;
alter function adopt_deposits() set enable_seqscan to off;
