-- What following an intent to its end needs, and who shares a transaction.

alter table quote add constraint quote_of_account unique (id, account_id);

alter table intent
  add column account_id uuid not null,
  -- By its own expiry: until then anybody who has seen it may execute it.
  add column expires_at timestamptz not null,
  -- The chain's head when it was submitted: nobody can have executed it before.
  add column from_block bigint not null,
  -- Not put into a batch before.
  add column not_before timestamptz not null default now(),
  -- A transaction with it may have reached a node, so that others may have seen it.
  add column exposed boolean not null default false,
  add constraint intent_of_quote foreign key (quote_id, account_id) references quote (id, account_id)
    on delete cascade;

-- Whose addresses a batch shows: those who send in it, and those of ours who are paid in it. One row for each account, for
-- two quotes of one account in one transaction would join its addresses in public. An intent enters a batch only through
-- the row of its quote, so nothing but the quote itself can spend from, or pay to, two addresses of one account.
create table intent_batch_share (
  batch_id uuid not null references intent_batch (id) on delete cascade,
  account_id uuid not null references account (id) on delete cascade,
  quote_id uuid not null references quote (id) on delete cascade,
  primary key (batch_id, account_id),
  unique (batch_id, account_id, quote_id)
);
create index intent_batch_share_quote on intent_batch_share (quote_id);
create index intent_batch_share_account on intent_batch_share (account_id);
alter table intent add constraint intent_in_batch foreign key (batch_id, account_id, quote_id)
  references intent_batch_share (batch_id, account_id, quote_id);

create index intent_forget on intent (ended_at) where ended_at is not null and encoded is not null;
create index intent_batch_outbound on intent_batch (outbound_id);
-- The pending view: under way, or ended a moment ago.
create index quote_ended on quote (account_id, ended_at) where submitted_at is not null;
