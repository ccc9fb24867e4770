-- Collectibles that waive service fees, and the quotes that send them away.

insert into quote_kind (name) values ('nft_withdraw');

-- Which collectible an account was seen to hold, and where. Whether it holds it still is never stored: `holding` says so.
create table collectible_deposit (
  chain_id bigint not null,
  contract text not null,
  token_id numeric(78, 0) not null check (token_id >= 0),
  account_id uuid not null references account (id) on delete cascade,
  address text not null,
  recorded_at timestamptz not null default now(),
  -- When the token was recorded somewhere else.
  left_at timestamptz,
  primary key (chain_id, contract, token_id, recorded_at)
);
create unique index collectible_deposit_open on collectible_deposit (chain_id, contract, token_id) where left_at is null;
create index collectible_deposit_account on collectible_deposit (account_id);

-- Which collectible a quote sends away, at our cost.
create table collectible_withdrawal (
  quote_id uuid primary key,
  account_id uuid not null,
  chain_id bigint not null,
  contract text not null,
  token_id numeric(78, 0) not null check (token_id >= 0),
  -- When the quote ended, whichever way.
  ended_at timestamptz,
  foreign key (quote_id, account_id) references quote (id, account_id) on delete cascade
);
create unique index collectible_withdrawal_live on collectible_withdrawal (account_id, chain_id, contract, token_id)
  where ended_at is null;
create index collectible_withdrawal_token on collectible_withdrawal (chain_id, contract, token_id);

-- By the database, so that no way in which a quote ends is forgotten.
create function end_withdrawal_of_quote() returns trigger language plpgsql as $$
begin
  update collectible_withdrawal set ended_at = now() where quote_id = new.id and ended_at is null;
  return null;
end $$;
create trigger quote_ends_withdrawal after update of status on quote for each row
  when (new.kind = 'nft_withdraw' and new.status not in ('locked', 'submitted'))
  execute function end_withdrawal_of_quote();

-- Finds an account's collectibles without asking each of its addresses.
create index holding_collectible on holding (owner_account_id, chain_id, token)
  where amount > 0 and standard = 'erc721';
