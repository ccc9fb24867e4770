-- What owners keep in their accounts, and what the handing out of addresses looks at.

alter table account
  -- The onboarding variant that the client showed when it created the account.
  add column onboarding_experiment_id uuid,
  add column onboarding_experiment_key text,
  add column onboarding_variant_key text;

create table contact_email (
  account_id uuid primary key references account (id) on delete cascade,
  -- Sealed like the account's keys, for it is personal data.
  sealed_email bytea not null,
  master_key_id text not null,
  updated_at timestamptz not null default now()
);

create table dismissed_prompt (
  account_id uuid not null references account (id) on delete cascade,
  prompt_id text not null,
  dismissed_at timestamptz not null default now(),
  primary key (account_id, prompt_id)
);

-- Which address was shown to which app, by its origin.
create table dapp_use (
  account_id uuid not null references account (id) on delete cascade,
  address text not null references stealth_address (address) on delete cascade,
  origin text not null,
  last_used_at timestamptz not null default now(),
  primary key (address, origin)
);
create index dapp_use_newest on dapp_use (account_id, last_used_at desc);

-- How many addresses were made lately, and which was handed out longest ago.
create index stealth_address_made on stealth_address (account_id, created_at)
  where generation_context = 'external';
create index stealth_address_handed_out on stealth_address (account_id, handed_out_at)
  where generation_context = 'external';
