-- Tokens as others describe them, the tokens that accounts added, and the features that accounts have.

create table token_source (
  chain_id bigint not null,
  -- Checksummed.
  address text not null,
  -- Who says so: chain, or a provider's name.
  source text not null,
  source_id text not null,
  symbol text,
  name text,
  decimals integer check (decimals between 0 and 36),
  logo_url text,
  external_url text,
  -- What the contract said that exists, smallest units; null where it did not say.
  total_supply numeric(78, 0),
  -- Invisible characters were left out of its texts.
  was_hidden boolean not null default false,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  primary key (chain_id, address, source)
);

create table account_token (
  account_id uuid not null references account (id) on delete cascade,
  chain_id bigint not null,
  address text not null,
  position bigint not null generated always as identity,
  added_at timestamptz not null default now(),
  primary key (account_id, chain_id, address)
);

-- What is shown to some accounts alone: pools that name a feature.
create table account_feature (
  account_id uuid not null references account (id) on delete cascade,
  feature text not null,
  primary key (account_id, feature)
);
