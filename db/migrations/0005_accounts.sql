-- Accounts, and the one-time addresses that were handed out for them.

create table account (
  id uuid primary key,
  -- Address of the spending key: who signs in.
  auth_address text not null unique,
  -- The account's viewing keys, sealed by a data key that the master key wraps; bound to the id.
  sealed_keys bytea not null,
  -- Version of the master key that wraps the data key.
  master_key_id text not null,
  -- The next derivationNonce to hand out.
  next_derivation_nonce bigint not null default 0 check (next_derivation_nonce >= 0),
  disabled_at timestamptz,
  created_at timestamptz not null default now()
);

create table stealth_address (
  address text primary key,
  account_id uuid not null references account (id) on delete cascade,
  derivation_nonce bigint not null check (derivation_nonce >= 0),
  -- Why it was made: for somebody to pay to, or by the service to move funds to.
  generation_context text check (generation_context in ('external', 'fund-movement')),
  -- When it was last handed out: an unused one may be handed out again within a window.
  handed_out_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  unique (account_id, derivation_nonce)
);

-- Those that watch the chains ask for what is new.
create index stealth_address_created on stealth_address (created_at);
