-- Sums of tables that only grow, as the operator's pages and metrics show them, without reading millions of rows each time: what
-- was booked long ago is folded into totals, and a reader adds what came since.

-- Up to when the rows of a table are in the totals, by the column that says when they were booked or ended.
create table total_mark (
  book text primary key,
  folded_to timestamptz not null default '-infinity'
);
comment on table total_mark is 'Up to when the rows of a book are in the totals.';

create table relay_total (
  chain_id bigint not null,
  asset text not null,
  relays bigint not null,
  withdrawn numeric not null,
  fee_received numeric not null,
  gas_spent numeric not null,
  top_up_spent numeric not null,
  primary key (chain_id, asset)
);
comment on table relay_total is 'Sums of relay_ledger up to its mark.';

create table send_total (
  chain_id bigint not null,
  token text not null,
  sends bigint not null default 0,
  network_fee numeric not null default 0,
  service_fee numeric not null default 0,
  gas_spent numeric not null default 0,
  gas_unpaid numeric not null default 0,
  primary key (chain_id, token)
);
comment on table send_total is 'Sums of send_income and send_gas up to their marks.';

-- Of relay_request and quote: how many ended so.
create table end_total (
  book text not null,
  status text not null,
  ended bigint not null,
  primary key (book, status)
);
comment on table end_total is 'Numbers of relay requests and quotes by how they ended, up to their marks.';

insert into total_mark (book) values ('relay_ledger'), ('relay_request'), ('send_income'), ('send_gas'), ('quote');
