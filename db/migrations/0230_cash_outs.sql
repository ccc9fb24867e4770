-- Cash-outs: sales of tokens for money on a bank account or payment app, and taking back what was not sold.

insert into quote_kind (name) values ('offramp'), ('offramp_withdraw');

create table cash_payee (
  quote_id uuid primary key,
  account_id uuid not null,
  sealed bytea not null,
  master_key_id text not null,
  foreign key (quote_id, account_id) references quote (id, account_id) on delete cascade
);
create index cash_payee_account on cash_payee (account_id);
comment on table cash_payee is
  'Handles of who is paid by a cash-out: personal data, kept sealed until its quote ends without a deposit, or its order ends.';

-- By the database, so that no way in which a quote ends is forgotten.
create function forget_payee_of_quote() returns trigger language plpgsql as $$
begin
  delete from cash_payee where quote_id = new.id;
  return new;
end $$;
create trigger quote_forgets_payee after update of status on quote for each row
  when (new.kind = 'offramp' and new.status in ('unlocked', 'expired', 'replaced', 'failed'))
  execute function forget_payee_of_quote();

-- Nothing that happens afterwards needs it, a reorg neither: the venue's curator has it.
create function forget_payee_of_order() returns trigger language plpgsql as $$
begin
  delete from cash_payee where quote_id = new.quote_id;
  return new;
end $$;
create trigger cash_order_forgets_payee after update of ended_at on cash_order for each row
  when (new.ended_at is not null) execute function forget_payee_of_order();

create table cash_withdrawal (
  quote_id uuid primary key,
  account_id uuid not null,
  chain_id bigint not null,
  escrow text not null,
  deposit_id numeric(78, 0) not null,
  -- Since when its intent can be mined no more.
  ended_at timestamptz,
  foreign key (quote_id, account_id) references quote (id, account_id) on delete cascade
);
comment on table cash_withdrawal is
  'Which deposit in an escrow a quote takes back. One at a time: of two, the second would fail at our cost.';
create unique index cash_withdrawal_deposit on cash_withdrawal (chain_id, escrow, deposit_id) where ended_at is null;
create index cash_withdrawal_account on cash_withdrawal (account_id);

create function end_cash_withdrawal_of_quote() returns trigger language plpgsql as $$
begin
  update cash_withdrawal set ended_at = now() where quote_id = new.id and ended_at is null;
  return new;
end $$;
create trigger quote_ends_cash_withdrawal after update of status on quote for each row
  when (new.kind = 'offramp_withdraw' and new.status in ('unlocked', 'expired', 'replaced', 'failed', 'confirmed'))
  execute function end_cash_withdrawal_of_quote();
