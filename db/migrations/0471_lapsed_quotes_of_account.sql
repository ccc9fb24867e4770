-- The oldest of an account's quotes that ended without being submitted: it keeps a bounded number of them.
create index quote_lapsed_of_account on quote (account_id, ended_at) where status in ('unlocked', 'expired', 'replaced');
