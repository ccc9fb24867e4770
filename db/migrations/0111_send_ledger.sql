-- What sends bring and cost. Neither table tells whose payment it was: what is left when an account is erased are amounts.

-- What an intent pays to us when it is executed, in the sent token, smallest unit.
alter table intent
  add column network_fee numeric(78, 0) not null default 0 check (network_fee >= 0),
  add column service_fee numeric(78, 0) not null default 0 check (service_fee >= 0);

-- Those under way, as far as their quotes tell.
update intent set network_fee = quote.network_fee, service_fee = quote.service_fee
from quote where quote.id = quote_id and intent.status in ('queued', 'batched')
  and not exists (select from intent as other where other.quote_id = intent.quote_id and other.id <> intent.id);

-- An intent is executed once, and so its fees are booked once.
create table send_income (
  -- Names nothing any more once the intent is erased.
  intent_id uuid primary key,
  chain_id bigint not null,
  -- The zero address is the native coin.
  token text not null,
  network_fee numeric(78, 0) not null check (network_fee >= 0),
  service_fee numeric(78, 0) not null check (service_fee >= 0),
  booked_at timestamptz not null default now()
);
create index send_income_token on send_income (chain_id, token);

-- What a batch's transaction cost, shared by its quotes: the shares of a batch add up to its receipt's fee, to the wei.
create table send_gas (
  batch_id uuid not null references intent_batch (id),
  -- Place of the quote among those of the batch; a batch is booked once.
  place integer not null check (place >= 0),
  chain_id bigint not null,
  -- What the quote sent.
  token text not null,
  -- Wei.
  gas_spent numeric(78, 0) not null check (gas_spent >= 0),
  -- Whether an intent of the quote was executed in this transaction.
  executed boolean not null,
  booked_at timestamptz not null default now(),
  primary key (batch_id, place)
);
create index send_gas_token on send_gas (chain_id, token);
