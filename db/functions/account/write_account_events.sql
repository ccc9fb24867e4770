-- Logs changes of accounts, and deletes rows of these accounts that no cursor may start from any more. An account with
-- more than a hundred changes in one call gets one row `resync` instead. Rows that another transaction deletes are
-- skipped, so writers never wait. Accounts that are being deleted have no row, and get no events.
create or replace function write_account_events(accounts uuid[], kinds text[], subjects text[]) returns void
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
begin
  if accounts is null then return; end if;
  delete from account_event where ctid = any (array(
    select old.place from (select distinct unnest(accounts) as id) as told cross join lateral (
      select ctid as place from account_event as event
      where event.account_id = told.id and event.at < now() - interval '15 minutes'
      order by event.at limit 200 for update skip locked
    ) as old));
  insert into account_event (account_id, kind, subject)
  select account.id, case when counted.are_many then 'resync' else counted.kind end,
    case when counted.are_many then '' else counted.subject end
  from (
    select id, kind, subject, count(*) over (partition by id) > 100 as are_many from (
      select distinct * from unnest(accounts, kinds, subjects) as one (id, kind, subject) where id is not null
    ) as told
  ) as counted join account using (id)
  on conflict do nothing;
end $$;
