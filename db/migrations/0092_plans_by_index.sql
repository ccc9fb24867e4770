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

-- One deposit may be named several times, as by two ragequits of its label that a reorg takes back.
create or replace function write_account_deposits(chains bigint[], blocks text[], places integer[]) returns void
language plpgsql as $$
begin
  if chains is null then return; end if;
  delete from account_deposit as known
  using unnest(chains, blocks, places) as event (chain_id, block_hash, log_index)
  where known.chain_id = event.chain_id and known.block_hash = event.block_hash
    and known.log_index = event.log_index and not exists (
      select from pool_event as deposit
      where deposit.chain_id = event.chain_id and deposit.block_hash = event.block_hash
        and deposit.log_index = event.log_index and kind = 'deposit');
  insert into account_deposit as known (chain_id, block_hash, log_index, account_id, address, pool, label, value,
    standing)
  select event.chain_id, event.block_hash, event.log_index, owner.account_id, deposit.account, deposit.contract,
    deposit.label, coalesce(deposit.value, 0), case
      when exists (
        select from pool_event as ragequit
        where ragequit.chain_id = event.chain_id and ragequit.contract = deposit.contract
          and ragequit.kind = 'ragequit' and ragequit.label = deposit.label
      ) then 'recovered'
      else coalesce((
        select status from asp_review as review
        where review.chain_id = event.chain_id and review.pool = deposit.contract and review.label = deposit.label
      ), 'pending')
    end
  from (
    select distinct * from unnest(chains, blocks, places) as event (chain_id, block_hash, log_index)
  ) as event
  cross join lateral (
    select account, contract, label, value from pool_event
    where pool_event.chain_id = event.chain_id and pool_event.block_hash = event.block_hash
      and pool_event.log_index = event.log_index and kind = 'deposit' offset 0
  ) as deposit
  cross join lateral (
    select account_id from stealth_address where stealth_address.address = deposit.account offset 0
  ) as owner
  on conflict (chain_id, block_hash, log_index) do update set standing = excluded.standing
    where known.standing <> excluded.standing;
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
