-- What a deposit comes to is looked up by its events, one after another, whatever the planner believes of the tables: what
-- it knew of small ones stays in a session, and by it fifty thousand deposits took minutes.

-- A label names one deposit; beside it, chain and pool only tell foreign deposits apart.
drop index account_deposit_label;
create index account_deposit_label on account_deposit (label, chain_id);
create index pool_event_ragequit on pool_event (label, contract, chain_id) where kind = 'ragequit';

-- As in 0142, but for the order in which the first statement looks things up.
create or replace function write_account_deposits(chains bigint[], blocks text[], places integer[]) returns void
language plpgsql as $$
begin
  if chains is null then return; end if;
  delete from account_deposit
  where ctid = any (array(
    select gone.place
    from unnest(chains, blocks, places) as event (chain_id, block_hash, log_index) cross join lateral (
      select known.ctid as place from account_deposit as known
      where known.chain_id = event.chain_id and known.block_hash = event.block_hash
        and known.log_index = event.log_index and not exists (
          select from pool_event as deposit
          where deposit.chain_id = event.chain_id and deposit.block_hash = event.block_hash
            and deposit.log_index = event.log_index and kind = 'deposit')
      offset 0
    ) as gone));
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
        select case
          when status = 'approved' and not exists (
            select from asp_set where asp_set.chain_id = event.chain_id and asp_set.label = deposit.label
          ) then 'pending' else status end
        from asp_review as review
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

-- Replacing a function forgets its settings.
alter function write_account_deposits(bigint[], text[], integer[]) set enable_seqscan to off;
alter function write_account_deposits(bigint[], text[], integer[]) set enable_hashjoin to off;
alter function write_account_deposits(bigint[], text[], integer[]) set enable_mergejoin to off;
