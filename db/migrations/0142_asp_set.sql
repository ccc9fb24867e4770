-- The labels that a chain's association set provider approved, in the order of its tree: the list that was last found to
-- hash to the Entrypoint's latest root. It is everybody's.
create table asp_set (
  chain_id bigint not null,
  -- From 0 on.
  position bigint not null check (position >= 0),
  label numeric(78, 0) not null check (label > 0),
  primary key (chain_id, position)
);
create unique index asp_set_label on asp_set (chain_id, label);

-- What the rows of a chain hash to. Whoever changes them changes this row first, and only from what it read.
create table asp_set_state (
  chain_id bigint primary key,
  root numeric(78, 0) not null,
  size bigint not null check (size >= 0),
  -- Roots of the complete subtrees, the largest first: as many as there are 1-bits in the size.
  frontier numeric(78, 0)[] not null,
  -- Another one whenever labels were taken out or replaced; while it stays, labels were only appended.
  lineage uuid not null
);

create index account_deposit_account on account_deposit (account_id, chain_id, pool);
-- The leaves of a pool by their place in the tree, which begins with 1.
create index pool_event_leaf on pool_event (chain_id, contract, leaf_index) where kind = 'leaf';

-- As in 0089, but for one thing: an approved deposit can be spent only once its label is in the set as well.
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

create function follow_asp_set() returns trigger language plpgsql as $$
begin
  if not exists (select from changed) then return null; end if;
  perform pg_advisory_xact_lock(7236514989);
  perform write_account_deposits(array_agg(known.chain_id), array_agg(known.block_hash), array_agg(known.log_index))
  from changed cross join lateral (
    select chain_id, block_hash, log_index from account_deposit
    where account_deposit.label = changed.label and account_deposit.chain_id = changed.chain_id offset 0
  ) as known;
  return null;
end $$;
create trigger asp_set_added after insert on asp_set
  referencing new table as changed for each statement execute function follow_asp_set();
create trigger asp_set_removed after delete on asp_set
  referencing old table as changed for each statement execute function follow_asp_set();

-- As in 0088. Replacing a function forgets its settings.
alter function write_account_deposits(bigint[], text[], integer[]) set enable_seqscan to off;
alter function write_account_deposits(bigint[], text[], integer[]) set enable_hashjoin to off;
alter function write_account_deposits(bigint[], text[], integer[]) set enable_mergejoin to off;
alter function follow_asp_set() set enable_seqscan to off;

-- Deposits that were approved by their review alone wait until the set is read.
do $$ begin
  perform write_account_deposits(array_agg(chain_id), array_agg(block_hash), array_agg(log_index))
  from account_deposit where standing = 'approved';
end $$;
