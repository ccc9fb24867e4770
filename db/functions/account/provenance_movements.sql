-- Finds the addresses of an account that an observer can link to the requested ones, and all their transfers. Links are
-- a shared transaction in which one of them sends, and the two ends of a bridge order. Transfers are arrays rather than
-- objects, because there may be thousands. Their members: [chain, transaction, block hash, milliseconds since the
-- epoch, source, position, item, token, token number, from, to, amount]. They are in chain order, and by time between
-- chains.
--
-- At most `most_reached` addresses are expanded; one more is returned where there are more. Transfers are bounded by
-- `most_movements`; addresses whose transfers would exceed it are returned as `crowded`, without them.
--
-- Every step must be an index look-up: hence a function with settings, `offset 0`, and an `order by` that matches the
-- index. The planner relies on values that are common among all transfers, and anybody can make a sender or a recipient
-- common. It is planned anew at each call, because a session caches plans. A plan made over small tables would read
-- most of them for each look-up once they have grown.
create or replace function provenance_movements(owner uuid, asked text[], most_reached bigint, most_movements bigint)
returns table (addresses text[], crowded text[], movements jsonb)
language plpgsql stable
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_custom_plan
as $$
declare
  frontier text[];
  reached text[];
begin
  select coalesce(array_agg(own.address), '{}') into frontier from unnest(asked) as one (address)
  cross join lateral (select address, account_id from stealth_address where address = one.address offset 0) as own
  where own.account_id = owner;
  reached := frontier;
  -- Each address is expanded once, and each transaction of a round is read once, no matter how many of its parties were
  -- reached.
  while cardinality(frontier) > 0 and cardinality(reached) <= most_reached loop
    select coalesce(array_agg(distinct joined.address), '{}') into frontier from (
      select own.address from (
        select distinct party.address from (
          select chain_id, tx_hash, bool_or(sends) as sends from unnest(frontier) as one (address) cross join lateral (
            (select chain_id, tx_hash, true as sends from transfer
              where from_address = one.address order by chain_id, block_number desc limit most_movements + 1)
            union all
            (select chain_id, tx_hash, false as sends from transfer
              where to_address = one.address order by chain_id, block_number desc limit most_movements + 1)
          ) as mine where tx_hash is not null group by chain_id, tx_hash
        ) as tx cross join lateral (
          select from_address, to_address from transfer
          where transfer.chain_id = tx.chain_id and transfer.tx_hash = tx.tx_hash offset 0
        ) as other
        cross join lateral (values (other.from_address), (case when tx.sends then other.to_address end)) as party (address)
      ) as party
      cross join lateral (select address, account_id from stealth_address where address = party.address offset 0) as own
      where own.account_id = owner
      union all
      select own.address from bridge_order
      cross join lateral (
        select address, account_id from stealth_address where address in (depositor, output_recipient) offset 0
      ) as own
      where bridge_order.account_id = owner and own.account_id = owner and fill_tx is not null
        and (depositor = any(frontier) or output_recipient = any(frontier))
    ) as joined
    where joined.address <> all(reached);
    reached := reached || frontier;
  end loop;
  reached := reached[1:most_reached + 1];

  return query with sized as materialized (
    select address, sum(size) over (order by size, address) as total
    from unnest(reached) as bounded (address) cross join lateral (
      select (select count(*) from (
          select from transfer where from_address = bounded.address
          order by chain_id, block_number desc limit most_movements + 1) as sent)
        + (select count(*) from (
          select from transfer where to_address = bounded.address
          order by chain_id, block_number desc limit most_movements + 1) as received) as size
    ) as counted
  ), wanted as materialized (
    select address from sized where total <= most_movements
  ), moved as (
    select moved.* from wanted cross join lateral (
      (select * from transfer where from_address = wanted.address
        order by chain_id, block_number desc limit most_movements)
      union all
      -- A transfer between two of the addresses comes from the sender's branch alone.
      (select * from (
          select * from transfer where to_address = wanted.address
          order by chain_id, block_number desc limit most_movements
        ) as received where from_address not in (select address from wanted))
    ) as moved
  )
  select reached, array(select address from sized where total > most_movements), coalesce((
      select jsonb_agg(jsonb_build_array(chain_id, tx_hash, moved.block_hash,
        floor(extract(epoch from moved.block_time) * 1000)::bigint, source, position, item, token, token_id::text,
        moved.from_address, moved.to_address, amount::text)
        order by moved.block_time, chain_id, moved.block_number, tx_index nulls last, tx_hash, source desc, position, item)
      from moved left join lateral (
        select tx_index from indexed_tx as tx where tx.chain_id = moved.chain_id and tx.tx_hash = moved.tx_hash offset 0
      ) as tx on true
    ), '[]');
end $$;
