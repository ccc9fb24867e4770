-- Gas that nobody paid for: what is lost, and what may be. Neither names a recipient.

-- Transactions under way whose recipient is a contract and may make them fail: what they cost at most, until they end.
create table gas_at_risk (
  -- The relay request, or the quote of a send.
  reference uuid primary key,
  chain_id bigint not null,
  share text not null check (share in ('relay', 'new', 'proven', 'plain')),
  -- The transaction's gas limit; 0 once it was mined and lost.
  gas bigint not null check (gas >= 0),
  -- Gas that the fee pays for; null where a success pays for all.
  paid_gas bigint,
  created_at timestamptz not null default now()
);
create index gas_at_risk_chain on gas_at_risk (chain_id);

create table gas_lost (
  chain_id bigint not null,
  share text not null check (share in ('relay', 'new', 'proven', 'plain')),
  gas bigint not null check (gas > 0),
  lost_at timestamptz not null default now()
);
create index gas_lost_recent on gas_lost (chain_id, lost_at);
create index gas_lost_old on gas_lost (lost_at);

-- Relays that reverted on chain where the recipient can have been the cause.
create table relay_revert (
  chain_id bigint not null,
  pool text not null,
  nullifier_hash numeric(78, 0) not null,
  -- A MAC of the recipient: the table is no list of recipients.
  recipient bytea not null,
  failures integer not null default 1,
  failed_at timestamptz not null default now(),
  primary key (nullifier_hash, pool, chain_id, recipient)
);
create index relay_revert_recipient on relay_revert (recipient);
create index relay_revert_old on relay_revert (failed_at);

-- Of which share a request's gas is counted: relay where its recipient has code, plain where plain addresses are counted
-- too, null where nothing is counted.
alter table relay_request add column gas_share text check (gas_share in ('relay', 'plain'));
-- Relays to contracts do not say what a relay costs. What is older than this column counts as before.
alter table relay_ledger add column to_contract boolean not null default false;
-- Nobody looked for anything but samples by the other one.
drop index relay_ledger_pool;
create index relay_ledger_samples on relay_ledger (chain_id, pool, booked_at desc)
  where withdrawn > 0 and top_up_spent = 0 and not to_contract;
