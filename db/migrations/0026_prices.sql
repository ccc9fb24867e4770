-- Prices and markets of tokens, as asked for by whichever instance's turn it was.

-- One unit of usd is 10^-30 dollars.
create table token_price (
  chain_id bigint not null,
  address text not null,
  usd numeric(78, 0) not null check (usd > 0),
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
  usd numeric(78, 0) not null check (usd > 0),
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
  volume numeric(78, 0) not null default 0,
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
