-- The deposits of accounts' addresses in the pools, and what they come to by what the ASP makes of them, so that a balance
-- costs the same whatever the number of addresses and deposits.
--
-- Each deposit is written anew from what it follows from (the event, whose the address is, the ASP's word, a ragequit) by
-- whatever changes one of these, in its transaction. Events and reviews of strangers are written as well, and an address
-- may become somebody's later: so that those who write either do not overlook each other, they hold one lock to the end of
-- their transactions, which those who add addresses share.
create table account_deposit (
  -- Of the pool_event.
  chain_id bigint not null,
  block_hash text not null,
  log_index integer not null,
  account_id uuid not null,
  address text not null references stealth_address (address) on delete cascade,
  pool text not null,
  label numeric(78, 0),
  value numeric(78, 0) not null,
  -- recovered: by a ragequit.
  standing text not null check (standing in ('pending', 'approved', 'declined', 'recovered')),
  primary key (chain_id, block_hash, log_index)
);
create index account_deposit_label on account_deposit (label);
create index account_deposit_address on account_deposit (address);

create table account_deposit_sum (
  account_id uuid not null,
  chain_id bigint not null,
  pool text not null,
  standing text not null,
  amount numeric not null check (amount >= 0),
  deposits bigint not null check (deposits >= 0),
  primary key (account_id, chain_id, pool, standing)
);

create index pool_event_registered on pool_event (chain_id, pool) where kind = 'pool-registered';

-- By whole statements, for a row that changes thousands of times in one transaction becomes slow.
create function sum_account_deposits() returns trigger language plpgsql as $$
declare
  sums account_deposit_sum;
begin
  if tg_op <> 'DELETE' then
    insert into account_deposit_sum as summed (account_id, chain_id, pool, standing, amount, deposits)
    select account_id, chain_id, pool, standing, sum(value), count(*) from added
    group by account_id, chain_id, pool, standing order by account_id, chain_id, pool, standing
    on conflict (account_id, chain_id, pool, standing) do update
      set amount = summed.amount + excluded.amount, deposits = summed.deposits + excluded.deposits;
  end if;
  if tg_op <> 'INSERT' then
    for sums in
      select account_id, chain_id, pool, standing, sum(value), count(*) from removed
      group by account_id, chain_id, pool, standing order by account_id, chain_id, pool, standing
    loop
      update account_deposit_sum set amount = amount - sums.amount, deposits = deposits - sums.deposits
      where account_id = sums.account_id and chain_id = sums.chain_id and pool = sums.pool
        and standing = sums.standing;
      delete from account_deposit_sum
      where account_id = sums.account_id and chain_id = sums.chain_id and pool = sums.pool
        and standing = sums.standing and deposits = 0;
    end loop;
  end if;
  return null;
end $$;
create trigger account_deposit_added after insert on account_deposit
  referencing new table as added for each statement execute function sum_account_deposits();
create trigger account_deposit_moved after update on account_deposit
  referencing new table as added old table as removed for each statement execute function sum_account_deposits();
create trigger account_deposit_removed after delete on account_deposit
  referencing old table as removed for each statement execute function sum_account_deposits();

-- Writes the deposits of some events as they stand now, and removes those that are no more. Each is looked up by itself
-- (offset 0): one plan serves one row and thousands. One may be named several times, as by two ragequits of its label that
-- a reorg takes back.
create function write_account_deposits(chains bigint[], blocks text[], places integer[]) returns void
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

-- Any constant does for the lock, as long as nothing else in the database locks it.
create function follow_pool_events() returns trigger language plpgsql as $$
begin
  if not exists (select from changed where kind in ('deposit', 'ragequit')) then return null; end if;
  perform pg_advisory_xact_lock(7236514989);
  perform write_account_deposits(array_agg(chain_id), array_agg(block_hash), array_agg(log_index))
  from changed where kind = 'deposit';
  perform write_account_deposits(array_agg(known.chain_id), array_agg(known.block_hash), array_agg(known.log_index))
  from changed cross join lateral (
    select chain_id, block_hash, log_index from account_deposit
    where account_deposit.label = changed.label and account_deposit.chain_id = changed.chain_id
      and pool = changed.contract offset 0
  ) as known
  where kind = 'ragequit';
  return null;
end $$;

create function follow_asp_reviews() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  perform pg_advisory_xact_lock(7236514989);
  perform write_account_deposits(array_agg(known.chain_id), array_agg(known.block_hash), array_agg(known.log_index))
  from changed cross join lateral (
    select chain_id, block_hash, log_index from account_deposit
    where account_deposit.label = changed.label and account_deposit.chain_id = changed.chain_id
      and account_deposit.pool = changed.pool offset 0
  ) as known;
  return null;
end $$;

create function adopt_deposits() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7236514989);
  perform write_account_deposits(array_agg(chain_id), array_agg(block_hash), array_agg(log_index))
  from added cross join lateral (
    select chain_id, block_hash, log_index from pool_event
    where pool_event.account = added.address and kind = 'deposit' offset 0
  ) as deposit;
  return null;
end $$;

create trigger pool_event_added after insert on pool_event
  referencing new table as changed for each statement execute function follow_pool_events();
create trigger pool_event_removed after delete on pool_event
  referencing old table as changed for each statement execute function follow_pool_events();
create trigger asp_review_added after insert on asp_review
  referencing new table as changed for each statement execute function follow_asp_reviews();
create trigger asp_review_moved after update on asp_review
  referencing new table as changed for each statement execute function follow_asp_reviews();
create trigger asp_review_removed after delete on asp_review
  referencing old table as changed for each statement execute function follow_asp_reviews();
create trigger stealth_address_deposits after insert on stealth_address
  referencing new table as added for each statement execute function adopt_deposits();

-- As in 0088.
alter function write_account_deposits(bigint[], text[], integer[]) set enable_seqscan to off;
alter function write_account_deposits(bigint[], text[], integer[]) set enable_hashjoin to off;
alter function write_account_deposits(bigint[], text[], integer[]) set enable_mergejoin to off;
alter function follow_pool_events() set enable_seqscan to off;
alter function follow_asp_reviews() set enable_seqscan to off;
alter function adopt_deposits() set enable_seqscan to off;

do $$ begin
  perform write_account_deposits(array_agg(chain_id), array_agg(block_hash), array_agg(log_index))
  from pool_event join stealth_address on address = account where kind = 'deposit';
end $$;
