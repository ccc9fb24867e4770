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
