-- What accounts have skipped in the review of their receipts, and what they have seen of it. How an address stands is never
-- stored: it follows from what the chains and the account's quotes say now.

-- Holds while no trusted receipt of the address is later.
create table review_skip (
  account_id uuid not null references account (id) on delete cascade,
  address text not null,
  last_received_at timestamptz(3) not null,
  raw_receive_count bigint not null check (raw_receive_count >= 0),
  skipped_at timestamptz not null default now(),
  primary key (account_id, address)
);

-- Up to which block the account has looked, chain by chain: blocks, since a chain that is indexed late is not seen yet.
create table review_seen (
  account_id uuid not null references account (id) on delete cascade,
  chain_id bigint not null,
  seen_block bigint not null,
  seen_at timestamptz not null,
  primary key (account_id, chain_id)
);
