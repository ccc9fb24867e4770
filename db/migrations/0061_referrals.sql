-- Who brought whom, and what came of it.

create table referral_profile (
  account_id uuid primary key references account (id) on delete cascade,
  code text not null unique,
  created_at timestamptz not null default now()
);

create table referral_attribution (
  id uuid primary key,
  -- The referred: attributed once and for all, when it is created. Null once it was deleted: the referrer keeps the earnings.
  account_id uuid unique references account (id) on delete set null,
  referrer_account_id uuid not null references account (id) on delete cascade,
  -- The terms of that day; later changes of the configuration do not touch them.
  referrer_share_bps integer not null check (referrer_share_bps between 0 and 10000),
  referred_discount_bps integer not null check (referred_discount_bps between 0 and 10000),
  minimum_reward_usd_cents integer not null check (minimum_reward_usd_cents >= 0),
  earning_starts_at timestamptz not null,
  earning_ends_at timestamptz not null check (earning_ends_at >= earning_starts_at),
  revoked_at timestamptz,
  check (account_id <> referrer_account_id)
);

create index referral_attribution_referrer on referral_attribution (referrer_account_id);

-- How the service fee of a quote is shared: what the referrer does not get, the service keeps.
create table referral_earning (
  -- One booking per quote, ever.
  quote_id uuid primary key,
  attribution_id uuid not null references referral_attribution (id) on delete cascade,
  chain_id bigint not null,
  token text not null,
  -- Smallest unit of the token.
  service_fee numeric(78, 0) not null check (service_fee > 0),
  referrer_share numeric(78, 0) not null check (referrer_share between 0 and service_fee),
  -- Millionths of a dollar; null where the fee had no price.
  referrer_share_usd_micros numeric(40, 0) check (referrer_share_usd_micros >= 0),
  booked_at timestamptz not null default now()
);

create index referral_earning_attribution on referral_earning (attribution_id);
