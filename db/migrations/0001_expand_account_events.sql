create table account_event (
  account_id uuid not null,
  xact xid8 not null default pg_current_xact_id(),
  kind text not null check (kind in ('activity', 'balance', 'deposit', 'quote', 'relay', 'resync', 'review')),
  -- What changed, for example `1 0x…` for a token of chain 1; empty where the kind says all.
  subject text not null,
  at timestamptz not null default now(),
  primary key (account_id, xact, kind, subject)
) with (
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000
);
create index account_event_at on account_event (account_id, at);
comment on table account_event is
  'What changed of an account, for streams that resume: names of changed rows, never their content. Triggers write it in the transaction of the change, and delete the account''s rows that are fifteen minutes older than its newest ones. No reference to account: a lock on it would come after locks of later tables.';
