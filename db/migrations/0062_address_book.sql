-- The accounts' contacts. Each is written on a signature of the spending key.

create table address_book (
  account_id uuid primary key references account (id) on delete cascade,
  -- The newest issuedAt among deleted contacts: what was signed up to then is not written again. It stands here, and not
  -- beside the address, so that nothing of a deleted contact is kept.
  signed_floor timestamptz not null default '-infinity'
);

create table contact (
  account_id uuid not null references address_book (account_id) on delete cascade,
  address text not null,
  name text not null check (length(name) between 1 and 64),
  -- issuedAt of the signature that wrote it last.
  signed_at timestamptz not null,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, address)
);
