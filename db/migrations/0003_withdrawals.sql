-- The public relayer's requests and their ledger. They share no identifier with accounts, and hold hashes and amounts
-- only: no proof, no recipient, no client address.

create table relay_request (
  id uuid primary key,
  chain_id bigint not null,
  pool text not null,
  asset text not null,
  nullifier_hash numeric(78, 0) not null,
  context numeric(78, 0) not null,
  -- Smallest unit of the asset.
  withdrawn numeric(78, 0) not null check (withdrawn > 0),
  status text not null check (status in ('broadcast', 'confirmed', 'failed')),
  error text,
  tx_hash text,
  outbound_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((status = 'failed') = (error is not null))
);

-- One verified request, unfinished or confirmed, for each note: a failure frees it.
create unique index relay_request_note on relay_request (chain_id, pool, nullifier_hash) where status <> 'failed';
create index relay_request_newest on relay_request (updated_at desc);

create table relay_ledger (
  request_id uuid primary key references relay_request (id),
  chain_id bigint not null,
  pool text not null,
  asset text not null,
  -- Smallest unit of the asset; zero when the transaction reverted.
  withdrawn numeric(78, 0) not null check (withdrawn >= 0),
  fee_received numeric(78, 0) not null check (fee_received >= 0),
  -- Wei.
  gas_spent numeric(78, 0) not null check (gas_spent >= 0),
  top_up_spent numeric(78, 0) not null check (top_up_spent >= 0),
  gas_used bigint not null,
  tx_hash text not null,
  booked_at timestamptz not null default now()
);

create index relay_ledger_pool on relay_ledger (chain_id, pool, booked_at desc);
