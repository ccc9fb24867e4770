-- The accounts' names below the service's parent name.

create table subdomain (
  -- The label alone, normalised (ENSIP-15) and ASCII.
  name text primary key check (name ~ '^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$'),
  account_id uuid not null unique references account (id) on delete cascade,
  claimed_at timestamptz not null default now()
);

-- Names that are kept for whoever holds an invite code.
create table subdomain_reservation (
  name text primary key,
  -- SHA-256 of the code: it is a secret until it is used.
  invite_code_hash bytea not null,
  created_at timestamptz not null default now()
);

-- Names of deleted accounts: people may still pay to them, so nobody gets them again. Hashed, since nothing of a deleted
-- account is kept in the clear.
create table subdomain_retired (
  name_hash bytea primary key,
  retired_at timestamptz not null default now()
);
