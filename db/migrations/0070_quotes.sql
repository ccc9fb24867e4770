-- Sending: quotes, what they reserve, their signed intents, and the transactions that carry these.

create table quote (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  kind text not null check (kind in ('send')),
  -- locked: funds are reserved, the client signs. submitted: signed, on its way. The rest are ends; replaced: a refresh
  -- took its place and its reservations.
  status text not null default 'locked'
    check (status in ('locked', 'submitted', 'confirmed', 'failed', 'unlocked', 'expired', 'replaced')),
  chain_id bigint not null,
  -- The zero address is the native coin.
  token text not null,
  -- What the recipient gets, smallest unit.
  amount numeric(78, 0) not null check (amount > 0),
  recipient text not null,
  -- What is signed as it was given to the client, without a signature: submit takes every unsigned field from here.
  terms jsonb not null,
  -- Our fees, in the sent token, smallest unit; the service fee is part of what intents pay, the rest covers gas.
  network_fee numeric(78, 0) not null check (network_fee >= 0),
  service_fee numeric(78, 0) not null check (service_fee >= 0),
  fee_waived boolean not null,
  -- Wei that sending cost when the fee was reckoned.
  gas_cost numeric(78, 0) not null check (gas_cost >= 0),
  -- The end of the review session: refreshing does not move it.
  expires_at timestamptz not null,
  -- The quote whose place this one took.
  replaces uuid unique references quote (id) on delete set null,
  -- Why it failed, for people and programs.
  failure_code text,
  failure text,
  submitted_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  check ((ended_at is null) = (status in ('locked', 'submitted'))),
  check ((failure is not null) = (status = 'failed'))
);
create index quote_account on quote (account_id, created_at desc);
create index quote_expiry on quote (expires_at) where status = 'locked';
create index quote_under_way on quote (account_id) where status in ('locked', 'submitted');

-- What a quote has locked of an address's funds. A live row stands for its amount in locked_funds, whose check makes a
-- double promise impossible; whoever sets released_at takes the amount out of there in the same transaction.
create table reservation (
  quote_id uuid not null references quote (id) on delete cascade,
  chain_id bigint not null,
  address text not null,
  token text not null,
  amount numeric(78, 0) not null check (amount > 0),
  -- Spent in this block: the lock ends when the chain is indexed up to it, for until then the holding counts it still.
  spent_in_block bigint,
  released_at timestamptz,
  primary key (quote_id, chain_id, address, token)
);
create index reservation_live on reservation (chain_id, address, token) where released_at is null;

-- One transaction may carry intents of several accounts, and more than one of an account only within one quote.
create table intent_batch (
  id uuid primary key,
  chain_id bigint not null,
  outbound_id uuid not null,
  created_at timestamptz not null default now()
);

create table intent (
  id uuid primary key,
  quote_id uuid not null references quote (id) on delete cascade,
  -- Place in the quote.
  place integer not null,
  chain_id bigint not null,
  eoa text not null,
  intent_nonce numeric(78, 0) not null,
  -- abi.encode(Intent), signed; null once it ended and its retention is over.
  encoded bytea,
  combined_gas bigint not null,
  transaction_gas bigint not null,
  -- The EIP-7702 delegation that goes with it: {contractAddress, authorizationNonce, signature}.
  delegation jsonb,
  -- queued: waits for a batch. batched: in the outbox.
  status text not null default 'queued' check (status in ('queued', 'batched', 'succeeded', 'failed')),
  batch_id uuid references intent_batch (id),
  -- How often a batch left it untouched.
  attempts integer not null default 0,
  tx_hash text,
  error text,
  queued_at timestamptz not null default now(),
  ended_at timestamptz,
  unique (quote_id, place),
  check ((status = 'batched') <= (batch_id is not null)),
  check ((ended_at is null) = (status in ('queued', 'batched')))
);
-- An intent runs once, whatever the number of quotes and submissions.
create unique index intent_once on intent (chain_id, eoa, intent_nonce);
create index intent_queue on intent (chain_id, queued_at) where status = 'queued';
create index intent_of_batch on intent (batch_id) where batch_id is not null;
