-- Sign-in, tokens, and the server's own keys.

-- A nonce signs one address in, once.
create table siwe_nonce (
  siwe_nonce text primary key,
  auth_address text not null,
  expires_at timestamptz not null
);
create index siwe_nonce_expiry on siwe_nonce (expires_at);

-- Keys that sign tokens, and those that clients encrypt to.
create table server_key (
  id text primary key,
  purpose text not null,
  -- The private key, sealed for this purpose and id; the public half comes from it, so that nobody slips one in.
  sealed_key bytea not null,
  master_key_id text not null,
  created_at timestamptz not null default now(),
  -- When a newer one took its place.
  retired_at timestamptz,
  constraint server_key_purpose_check
    check (purpose in ('token', 'hpke', 'quote', 'transient'))
);
create unique index server_key_current on server_key (purpose) where retired_at is null;

create table revoked_token (
  token_id text primary key,
  -- When the token would have ended anyway.
  expires_at timestamptz not null
);
create index revoked_token_expiry on revoked_token (expires_at);

create table api_key (
  id text primary key,
  -- SHA-256 of the secret part, which has 256 bits.
  secret_hash bytea not null check (length(secret_hash) = 32),
  account_id uuid not null references account (id) on delete cascade,
  label text not null,
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['read', 'write']),
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  -- What lets somebody into an account is sealed: a MAC under a key that the database does not have.
  -- A key without one is refused until the operator vouches for it. A revoked key loses its own.
  seal bytea,
  -- The master key that the MAC's key is derived from.
  master_key_id text,
  check ((seal is null) = (master_key_id is null))
);
create index api_key_account on api_key (account_id);

create table oauth_code (
  code_hash bytea primary key check (length(code_hash) = 32),
  account_id uuid not null references account (id) on delete cascade,
  client_id text not null,
  redirect_uri text not null,
  -- S256, PKCE.
  code_challenge text not null,
  key_access_method text not null,
  -- The wallet that the user connected, sealed; gone when the code is used.
  sealed_wallet bytea,
  master_key_id text,
  expires_at timestamptz not null,
  -- The token it was exchanged for: a second use revokes that.
  token_id text,
  token_expires_at timestamptz,
  -- Its master_key_id, which the sealed wallet has, is the seal's too.
  seal bytea,
  check ((token_id is null) = (token_expires_at is null))
);
-- Codes whose time is over.
create index oauth_code_over on oauth_code (coalesce(token_expires_at, expires_at));

create table invite_code (
  id text primary key,
  code_hash bytea not null unique check (length(code_hash) = 32),
  label text not null,
  expires_at timestamptz,
  -- When, and not by whom.
  consumed_at timestamptz,
  created_at timestamptz not null default now()
);
