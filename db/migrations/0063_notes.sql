-- What account holders write about their activity and addresses. Clients encrypt it; the service cannot read it.

create table activity_note (
  account_id uuid not null references account (id) on delete cascade,
  reference_type text not null,
  quote_id uuid not null,
  ciphertext text not null check (length(ciphertext) between 1 and 8192),
  -- Milliseconds, as cursors carry it. Pages go by it, so it stays when a note is changed.
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, reference_type, quote_id)
);

create index activity_note_page on activity_note (account_id, created_at desc, quote_id desc, reference_type desc);

create table address_tag (
  account_id uuid not null references account (id) on delete cascade,
  address text not null,
  ciphertext text not null check (length(ciphertext) between 1 and 8192),
  updated_at timestamptz not null default now(),
  primary key (account_id, address)
);
