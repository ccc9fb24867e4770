-- Rewrites deposits from their event, the owner of the address, the review, the association set, and a ragequit. The
-- first statement has a fixed join order: plans made for small tables would read large ones whole.
create or replace function write_account_deposits(chains bigint[], blocks text[], places integer[]) returns void
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
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
