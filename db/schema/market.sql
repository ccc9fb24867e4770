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
  total_supply numeric,
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

-- Prices and markets of tokens, as asked for by whichever instance's turn it was.

-- One unit of usd is 10^-30 dollars.
create table token_price (
  chain_id bigint not null,
  address text not null,
  usd numeric not null check (usd > 0),
  source text not null,
  observed_at timestamptz not null,
  fetched_at timestamptz not null default now(),
  primary key (chain_id, address)
);

-- The price at the first round of each hour, for changes over hours; a day is kept.
create table price_sample (
  chain_id bigint not null,
  address text not null,
  hour timestamptz not null,
  usd numeric not null check (usd > 0),
  primary key (chain_id, address, hour)
);
create index price_sample_hour on price_sample (hour);

create table token_market (
  chain_id bigint not null,
  address text not null,
  provider text not null,
  provider_asset_id text not null,
  -- Decimal texts by the names of the API.
  figures jsonb not null,
  -- For the order of what is traded most; whole dollars of a day.
  volume numeric not null default 0,
  market_cap_rank integer,
  ath_date text,
  atl_date text,
  provider_updated_at timestamptz,
  price_observed_at timestamptz not null,
  market_observed_at timestamptz not null,
  fetched_at timestamptz not null default now(),
  primary key (chain_id, address)
);
create index token_market_volume on token_market (chain_id, volume desc);

create table trending_token (
  chain_id bigint not null,
  address text not null,
  place integer not null,
  primary key (chain_id, address)
);

-- Whose turn it is: a round belongs to the instance that moves next_at.
create table price_round (
  name text primary key,
  next_at timestamptz not null
);

-- What was learnt because an account holds a token, apart from what somebody looked up: when, and that, the first was learnt
-- is nobody's business.
create table held_token_source (
  like token_source including all
);
