-- Strangers choose amounts, and sums of them have no bound: nine balances of 2^256 - 1 overflowed a column of 78 digits in the
-- transaction that writes the blocks of everybody. No number of ours is rounded, so the scale is not needed either.
do $$
declare
  widened record;
begin
  for widened in
    select table_name, string_agg(format('alter column %I type numeric', column_name), ', ' order by column_name) as changes
    from information_schema.columns
    where table_schema = current_schema() and data_type = 'numeric' and numeric_precision is not null
    group by table_name order by table_name
  loop
    execute format('alter table %I %s', widened.table_name, widened.changes);
  end loop;
end $$;
alter table asp_set_state alter column frontier type numeric[];

-- absurd: the contract said an amount that nobody can have, and nothing is counted. unreadable: no node could read it.
-- unwritable: the database refused the amount. Of the last two the amount is the one before, and they are tried again at retry_at.
alter table holding add column problem text check (problem in ('absurd', 'unreadable', 'unwritable'));
alter table holding add column retry_at timestamptz not null default '-infinity';
create index holding_problem on holding (chain_id) where problem is not null;

drop index holding_stale;
create index holding_stale on holding (chain_id, retry_at) where stale;
-- Zeros that are kept because of their problem must not be looked through with each block.
drop index holding_zero;
create index holding_zero on holding (chain_id, as_of_number) where amount = 0 and not stale and problem is null;

-- Rows of blocks that the database refused, which were left out so that the rest could be written.
alter table indexed_chain add column rows_set_aside bigint not null default 0;

-- Read before there was a rule. What is read again follows it.
update holding set stale = true where amount >= 2::numeric ^ 255;
