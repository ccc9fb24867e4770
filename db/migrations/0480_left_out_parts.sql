-- Up to which block the native balances of all watched addresses were compared after the last block that did not show all moves
-- of native coins. A round is owed while untraced_to is above it.
alter table indexed_chain add column swept_to bigint;

create table left_out_block (
  chain_id bigint not null references indexed_chain (chain_id) on delete cascade,
  number bigint not null,
  hash text not null,
  -- traces, logs, receipts
  parts text[] not null,
  tries integer not null default 0,
  retry_at timestamptz not null default now(),
  noted_at timestamptz not null default now(),
  primary key (chain_id, number)
);
comment on table left_out_block is 'Indexed blocks of which no node showed every part. They are read again until a node does, for a week.';
create index left_out_block_due on left_out_block (chain_id, retry_at);
-- Those that were left out and not made good in time.
alter table indexed_chain add column blocks_given_up bigint not null default 0;
