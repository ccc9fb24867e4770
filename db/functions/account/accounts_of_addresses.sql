-- The accounts that own the addresses. Called by the functions that record changes of accounts.
create or replace function accounts_of_addresses(addresses text[]) returns uuid[] language sql stable
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
  select array_agg(distinct own.account_id) from (select distinct unnest(addresses) as address) as told
  cross join lateral (select account_id from stealth_address where stealth_address.address = told.address offset 0) as own
$$;
