-- Conversions: visible funds that a quote deposits into a pool, one row for each intent of the quote.

insert into quote_kind (name) values ('pool_deposit');

-- Goes into a transaction without any other intent of its account.
alter table intent add column alone boolean not null default false;
-- Two addresses of one account cannot enter a pool in one transaction.
create unique index intent_alone on intent (batch_id, account_id) where alone and batch_id is not null;

create table pool_conversion (
  quote_id uuid not null,
  -- Of the intent in its quote.
  place integer not null check (place >= 0),
  account_id uuid not null,
  chain_id bigint not null,
  pool text not null,
  -- Deposits.
  address text not null,
  -- By which the client derives the note's secrets.
  deposit_index bigint not null check (deposit_index >= 0),
  precommitment numeric(78, 0) not null check (precommitment > 0),
  -- What the Entrypoint takes, and what the note is worth: less by the vetting fee.
  gross numeric(78, 0) not null,
  net numeric(78, 0) not null check (net > 0 and net <= gross),
  vetting_fee numeric(78, 0) not null check (vetting_fee = gross - net),
  -- What the service takes.
  deposit_fee numeric(78, 0) not null check (deposit_fee >= 0),
  -- Since when its intent can be mined no more. Null while it can, and once it made its deposit.
  ended_at timestamptz,
  primary key (quote_id, place),
  foreign key (quote_id, account_id) references quote (id, account_id) on delete cascade
);
create unique index pool_conversion_index on pool_conversion (account_id, chain_id, pool, deposit_index)
  where ended_at is null;
create unique index pool_conversion_precommitment on pool_conversion (account_id, chain_id, precommitment)
  where ended_at is null;
create index pool_conversion_address on pool_conversion (address);
create index pool_event_precommitment on pool_event (precommitment) where kind = 'deposit';

-- By the database, so that no way in which quotes and intents end is forgotten. A quote that ends unsubmitted was never in
-- anybody's hands but the client's; an intent fails once a final block has burnt it or is later than its time, or before any
-- node had it.
create function end_conversions_of_quote() returns trigger language plpgsql as $$
begin
  update pool_conversion set ended_at = now() where quote_id = new.id and ended_at is null;
  return null;
end $$;
create trigger quote_ends_conversions after update of status on quote for each row
  when (new.kind = 'pool_deposit' and new.status in ('unlocked', 'expired', 'replaced'))
  execute function end_conversions_of_quote();

create function end_conversion_of_intent() returns trigger language plpgsql as $$
begin
  update pool_conversion set ended_at = now()
  where quote_id = new.quote_id and place = new.place and ended_at is null;
  return null;
end $$;
create trigger intent_ends_conversion after update of status on intent for each row
  when (new.alone and new.status = 'failed') execute function end_conversion_of_intent();
