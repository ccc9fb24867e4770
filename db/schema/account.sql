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
  created_at timestamptz not null default now(),
  -- The onboarding variant that the client showed when it created the account.
  onboarding_experiment_id uuid,
  onboarding_experiment_key text,
  onboarding_variant_key text,
  -- How many addresses an account has, which lists tell with each page. Kept by what adds addresses, in its transactions.
  address_count bigint not null default 0 check (address_count >= 0),
  -- An ENS name of the account's own, encrypted by the client. Nobody here can read it.
  encrypted_custom_ens_name text
    check (length(encrypted_custom_ens_name) between 1 and 2048),
  -- Addresses below this derivation nonce were handed out by an earlier account of the same keys.
  addresses_before bigint not null default 0
) with (
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 50000
);

-- An address that is derived for the first time has no past, so no node is asked about it. An account that was deleted and made
-- again derives the same addresses: those may have one.
create table earlier_account (
  -- A keyed hash of the address that signs in. The table has no time.
  signer_hash bytea primary key check (octet_length(signer_hash) = 32),
  -- How many addresses the deleted account had.
  addresses bigint not null check (addresses > 0)
);
comment on table earlier_account is
  'How many addresses a deleted account had, by a keyed hash of the address that signed in. It has no time.';

create table stealth_address (
  address text primary key,
  account_id uuid not null references account (id) on delete cascade,
  derivation_nonce bigint not null check (derivation_nonce >= 0),
  -- Why it was made: for somebody to pay to, or by the service to move funds to.
  generation_context text,
  -- When it was last handed out: an unused one may be handed out again within a window.
  handed_out_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  -- A venue outside the chain was told that the address is to get something: no other quote may offer it again.
  told_to_venue boolean not null default false,
  unique (account_id, derivation_nonce),
  constraint stealth_address_generation_context_check
    check (generation_context in ('external', 'fund-movement', 'app'))
) with (
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 50000
);
-- How many addresses were made lately, and which was handed out longest ago.
create index stealth_address_made on stealth_address (account_id, created_at)
  where generation_context = 'external';
create index stealth_address_handed_out on stealth_address (account_id, handed_out_at)
  where generation_context = 'external';
create index stealth_address_created on stealth_address (created_at, address);

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
  primary key (address)
);
create index dapp_use_newest on dapp_use (account_id, last_used_at desc);
create unique index dapp_use_app on dapp_use (account_id, origin);

-- What is shown to some accounts alone: pools that name a feature.
create table account_feature (
  account_id uuid not null references account (id) on delete cascade,
  feature text not null,
  primary key (account_id, feature)
);

-- What the association set provider makes of deposits that watched addresses made, by the deposit's label.
create table asp_review (
  chain_id bigint not null,
  pool text not null,
  label numeric not null,
  status text not null check (status in ('pending', 'approved', 'declined')),
  reviewed_at timestamptz not null default now(),
  primary key (chain_id, pool, label)
);

-- What all addresses of an account have together, token by token, so that a balance costs the same whatever their
-- number. Kept by the statements that write holdings, in their transactions; one worker writes a chain's holdings at a
-- time, and rows of different chains never meet.
create table account_holding (
  account_id uuid not null references account (id) on delete cascade,
  chain_id bigint not null,
  token text not null,
  amount numeric not null check (amount >= 0),
  primary key (account_id, chain_id, token)
) with (
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000
);

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
  created_at timestamptz not null default now(),
  -- An account that was created with the invite code for which a name is kept may claim the name without giving the code again.
  account_id uuid references account (id) on delete set null
);
create index subdomain_reservation_code on subdomain_reservation (invite_code_hash);

-- Names of deleted accounts: people may still pay to them, so nobody gets them again. Hashed, since nothing of a deleted
-- account is kept in the clear.
create table subdomain_retired (
  name_hash bytea primary key,
  retired_at timestamptz not null default now()
);

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
  service_fee numeric not null check (service_fee > 0),
  referrer_share numeric not null check (referrer_share between 0 and service_fee),
  -- Millionths of a dollar; null where the fee had no price.
  referrer_share_usd_micros numeric check (referrer_share_usd_micros >= 0),
  booked_at timestamptz not null default now()
);
create index referral_earning_attribution on referral_earning (attribution_id);

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
  -- Tags with one label have equal keys, which clients make of the label with a key of their own. The service sees which tags
  -- are equal, never what they say.
  label_key text check (length(label_key) between 16 and 128),
  primary key (account_id, address)
);

-- Service fees that are suspended for an account.
create table fee_waiver (
  account_id uuid not null references account (id) on delete cascade,
  -- activation: the offer to new accounts, claimed once. collectible: while the account holds one.
  source text not null check (source in ('activation', 'collectible')),
  granted_at timestamptz not null default now(),
  -- Null: until it is taken away.
  active_until timestamptz,
  primary key (account_id, source)
);

-- The transactions that touched an account, each once however many of its addresses it touched, in the order in which they
-- are listed: a page costs the same whatever the number of addresses. Kept by what writes address_tx, in its transactions;
-- one worker writes a chain's rows at a time, and rows of different chains never meet.
create table account_tx (
  account_id uuid not null references account (id) on delete cascade,
  chain_id bigint not null,
  tx_hash text not null,
  block_number bigint not null,
  block_time timestamptz not null,
  tx_index integer not null
) with (
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 50000
);
-- Newest first, then by chain: the chain's number is negated so that one comparison of rows says what is older.
create unique index account_tx_newest on account_tx
  (account_id, block_time desc, (-chain_id) desc, block_number desc, tx_index desc, tx_hash);

-- The deposits of accounts' addresses in the pools, and what they come to by what the ASP makes of them, so that a balance
-- costs the same whatever the number of addresses and deposits.
--
-- Each deposit is written anew from what it follows from (the event, whose the address is, the ASP's word, a ragequit) by
-- whatever changes one of these, in its transaction. Events and reviews of strangers are written as well, and an address
-- may become somebody's later: so that those who write either do not overlook each other, they hold one lock to the end of
-- their transactions, which those who add addresses share.
create table account_deposit (
  -- Of the pool_event.
  chain_id bigint not null,
  block_hash text not null,
  log_index integer not null,
  account_id uuid not null,
  address text not null references stealth_address (address) on delete cascade,
  pool text not null,
  label numeric,
  value numeric not null,
  -- recovered: by a ragequit.
  standing text not null check (standing in ('pending', 'approved', 'declined', 'recovered')),
  primary key (chain_id, block_hash, log_index)
);
create index account_deposit_address on account_deposit (address);
create index account_deposit_account on account_deposit (account_id, chain_id, pool);
create index account_deposit_label on account_deposit (label, chain_id);

create table account_deposit_sum (
  account_id uuid not null,
  chain_id bigint not null,
  pool text not null,
  standing text not null,
  amount numeric not null check (amount >= 0),
  deposits bigint not null check (deposits >= 0),
  primary key (account_id, chain_id, pool, standing)
);

-- What accounts have skipped in the review of their receipts, and what they have seen of it. How an address stands is never
-- stored: it follows from what the chains and the account's quotes say now.

-- Holds while no trusted receipt of the address is later.
create table review_skip (
  account_id uuid not null references account (id) on delete cascade,
  address text not null,
  last_received_at timestamptz(3) not null,
  raw_receive_count bigint not null check (raw_receive_count >= 0),
  skipped_at timestamptz not null default now(),
  -- A block has a whole second as its time, and several blocks may have the same one. By chain, the last block of that second
  -- with a trusted receipt that the owner had seen: {"1": "19000000"}. Null: the second alone counts.
  last_blocks jsonb check (jsonb_typeof(last_blocks) = 'object'),
  primary key (account_id, address)
);

-- Up to which block the account has looked, chain by chain: blocks, since a chain that is indexed late is not seen yet.
create table review_seen (
  account_id uuid not null references account (id) on delete cascade,
  chain_id bigint not null,
  seen_block bigint not null,
  seen_at timestamptz not null,
  primary key (account_id, chain_id)
);

-- Which collectible an account was seen to hold, and where. Whether it holds it still is never stored: `holding` says so.
create table collectible_deposit (
  chain_id bigint not null,
  contract text not null,
  token_id numeric not null check (token_id >= 0),
  account_id uuid not null references account (id) on delete cascade,
  address text not null,
  recorded_at timestamptz not null default now(),
  -- When the token was recorded somewhere else.
  left_at timestamptz,
  primary key (chain_id, contract, token_id, recorded_at)
);
create unique index collectible_deposit_open on collectible_deposit (chain_id, contract, token_id) where left_at is null;
create index collectible_deposit_account on collectible_deposit (account_id);

-- How often anything changed that an account's holdings and the origins of its money follow from, so that what was worked out is
-- used again while nothing did. What quotes reserve is not among it. Whatever changes such a row counts, in its own transaction: who reads the number before the
-- rows has read rows that are at least as new.
--
-- A row for each transaction rather than a number that all raise: nobody waits for anybody, and no order of locks is needed. The
-- upkeep folds rows into totals; both are read by one statement, so that the sum only grows.
create table account_change (
  account_id uuid not null,
  xact xid8 not null default pg_current_xact_id(),
  primary key (account_id, xact)
);

create table account_change_total (
  account_id uuid primary key,
  changes bigint not null
);

-- Who took the activation offer, so that an account that is deleted and made again does not get it again. A keyed hash of the
-- address that signs in: without the server's key nothing can be guessed from it. It has no time, and outlives the account.
create table spent_offer (
  signer_hash bytea primary key constraint spent_offer_mark_check check (octet_length(signer_hash) = 32)
);
