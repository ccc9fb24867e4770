-- What a wallet has told of its spending from pools. Sealed, of even sizes, and without any time, so that whoever takes the
-- database cannot set it beside the withdrawals that are on the chain.

create table pool_book (
  account_id uuid not null references account (id) on delete cascade,
  chain_id bigint not null,
  pool text not null,
  -- A multiple of 4 KiB before it is sealed.
  sealed bytea not null,
  master_key_id text not null,
  -- Random, another one after each change: a change is written over the version that it was made from. A count would tell
  -- how often an account spends.
  token uuid not null unique,
  primary key (account_id, chain_id, pool)
);

create table pool_spend (
  -- Random.
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  -- All of one size.
  sealed bytea not null,
  master_key_id text not null
);
create index pool_spend_account on pool_spend (account_id);
