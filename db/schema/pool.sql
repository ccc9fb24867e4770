-- The public relayer's requests and their ledger. They share no identifier with accounts, and hold hashes and amounts
-- only: no proof, no recipient, no client address.
create table relay_request (
  id uuid primary key,
  chain_id bigint not null,
  pool text not null,
  asset text not null,
  nullifier_hash numeric not null,
  context numeric not null,
  -- Smallest unit of the asset.
  withdrawn numeric not null check (withdrawn > 0),
  status text not null check (status in ('broadcast', 'confirmed', 'failed')),
  error text,
  tx_hash text,
  outbound_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Of which share a request's gas is counted: relay where its recipient has code, plain where plain addresses are counted
  -- too, null where nothing is counted.
  gas_share text check (gas_share in ('relay', 'plain')),
  check ((status = 'failed') = (error is not null))
) with (
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000
);
create index relay_request_newest on relay_request (updated_at desc);
create unique index relay_request_note on relay_request (nullifier_hash, pool, chain_id) where status <> 'failed';
-- A pool remembers 64 roots, and each relay inserts one: what is under way counts before a relay of an old root is taken.
create index relay_request_under_way on relay_request (chain_id, pool) where status = 'broadcast';

create table relay_ledger (
  request_id uuid primary key references relay_request (id),
  chain_id bigint not null,
  pool text not null,
  asset text not null,
  -- Smallest unit of the asset; zero when the transaction reverted.
  withdrawn numeric not null check (withdrawn >= 0),
  fee_received numeric not null check (fee_received >= 0),
  -- Wei.
  gas_spent numeric not null check (gas_spent >= 0),
  top_up_spent numeric not null check (top_up_spent >= 0),
  gas_used bigint not null,
  tx_hash text not null,
  booked_at timestamptz not null default now(),
  -- Relays to contracts do not say what a relay costs.
  to_contract boolean not null default false
) with (
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 50000
);
create index relay_ledger_samples on relay_ledger (chain_id, pool, booked_at desc)
  where withdrawn > 0 and top_up_spent = 0 and not to_contract;
-- Not by the plain column: PostgreSQL would look for a pool's newest relays in it, and through all others' where it has none.
create index relay_ledger_booked on relay_ledger (greatest(booked_at, '-infinity'));

-- Relays that reverted on chain where the recipient can have been the cause.
create table relay_revert (
  chain_id bigint not null,
  pool text not null,
  nullifier_hash numeric not null,
  -- A MAC of the recipient: the table is no list of recipients.
  recipient bytea not null,
  failures integer not null default 1,
  failed_at timestamptz not null default now(),
  primary key (nullifier_hash, pool, chain_id, recipient)
);
create index relay_revert_recipient on relay_revert (recipient);
create index relay_revert_old on relay_revert (failed_at);
create index relay_revert_chain on relay_revert (chain_id);

-- The labels that a chain's association set provider approved, in the order of its tree: the list that was last found to
-- hash to the Entrypoint's latest root. It is everybody's.
create table asp_set (
  chain_id bigint not null,
  -- From 0 on.
  position bigint not null check (position >= 0),
  label numeric not null check (label > 0),
  primary key (chain_id, position)
);
create unique index asp_set_label on asp_set (chain_id, label);

-- What the rows of a chain hash to. Whoever changes them changes this row first, and only from what it read.
create table asp_set_state (
  chain_id bigint primary key,
  root numeric not null,
  size bigint not null check (size >= 0),
  -- Roots of the complete subtrees, the largest first: as many as there are 1-bits in the size.
  frontier numeric[] not null,
  -- Another one whenever labels were taken out or replaced; while it stays, labels were only appended.
  lineage uuid not null
);

-- What a wallet has told of its spending from pools. Sealed, of even sizes, and without any time, so that whoever takes the
-- database cannot set it beside the withdrawals that are on the chain.
create table pool_book (
  account_id uuid not null references account (id) on delete cascade,
  chain_id bigint not null,
  pool text not null,
  -- A multiple of 4 KiB before it is sealed.
  sealed bytea not null,
  master_key_id text not null,
  -- Random, another one after each change: a change is written over the version that it was made from. A count would tell
  -- how often an account spends.
  token uuid not null unique,
  primary key (account_id, chain_id, pool)
);

create table pool_spend (
  -- Random.
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  -- All of one size.
  sealed bytea not null,
  master_key_id text not null
);
create index pool_spend_account on pool_spend (account_id);
