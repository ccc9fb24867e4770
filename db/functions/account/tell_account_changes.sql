-- Counts a change for each of the accounts. Accounts that are being deleted have no row, and count nothing.
create or replace function tell_account_changes(accounts uuid[]) returns void language sql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
  insert into account_change (account_id)
  select account.id from (select distinct unnest(accounts) as id) as told join account using (id)
  on conflict do nothing
$$;
