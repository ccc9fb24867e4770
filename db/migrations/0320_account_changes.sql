-- How often anything changed that an account's holdings and the origins of its money follow from, so that what was worked out is
-- used again while nothing did. What quotes reserve is not among it. Whatever changes such a row counts, in its own transaction: who reads the number before the
-- rows has read rows that are at least as new.
--
-- A row for each transaction rather than a number that all raise: nobody waits for anybody, and no order of locks is needed. The
-- upkeep folds rows into totals; both are read by one statement, so that the sum only grows.
create table account_change (
  account_id uuid not null,
  xact xid8 not null default pg_current_xact_id(),
  primary key (account_id, xact)
);

create table account_change_total (
  account_id uuid primary key,
  changes bigint not null
);

-- Triggers of accounts that are being deleted tell nothing.
create function tell_account_changes(accounts uuid[]) returns void language sql
set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off
as $$
  insert into account_change (account_id)
  select account.id from (select distinct unnest(accounts) as id) as told join account using (id)
  on conflict do nothing
$$;

create function accounts_of_addresses(addresses text[]) returns uuid[] language sql stable
set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off
as $$
  select array_agg(distinct own.account_id) from (select distinct unnest(addresses) as address) as told
  cross join lateral (select account_id from stealth_address where stealth_address.address = told.address offset 0) as own
$$;

-- Whose transfers are in transactions.
create function accounts_of_transactions(chains bigint[], hashes text[]) returns uuid[] language sql stable
set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off
as $$
  select accounts_of_addresses(array_agg(party.address)) from (
    select distinct * from unnest(chains, hashes) as tx (chain_id, tx_hash)
  ) as tx cross join lateral (
    select from_address, to_address from transfer
    where transfer.chain_id = tx.chain_id and transfer.tx_hash = tx.tx_hash offset 0
  ) as moved cross join lateral (values (from_address), (to_address)) as party (address)
$$;

-- Tables with the account's id. Rows as they were are `removed`, as they are `changed`.
create function tell_changed_accounts() returns trigger language plpgsql as $$
begin
  perform tell_account_changes(array_agg(account_id)) from (select distinct account_id from changed) as told;
  return null;
end $$;

-- Tables that say whose the address is.
create function tell_changed_owners() returns trigger language plpgsql as $$
begin
  perform tell_account_changes(array_agg(owner_account_id)) from (
    select distinct owner_account_id from changed where owner_account_id is not null
  ) as told;
  return null;
end $$;

create function tell_moved_holdings() returns trigger language plpgsql as $$
begin
  -- When it was looked at last says nothing about it.
  perform tell_account_changes(array_agg(owner_account_id)) from (
    select owner_account_id from (
      (select address, chain_id, standard, token, token_id, amount, stale, owner_account_id from changed
        except all select address, chain_id, standard, token, token_id, amount, stale, owner_account_id from removed)
      union all
      (select address, chain_id, standard, token, token_id, amount, stale, owner_account_id from removed
        except all select address, chain_id, standard, token, token_id, amount, stale, owner_account_id from changed)
    ) as moved where owner_account_id is not null
  ) as told;
  return null;
end $$;

create function tell_changed_transfers() returns trigger language plpgsql as $$
begin
  perform tell_account_changes(accounts_of_addresses(array_agg(address))) from (
    select from_address as address from changed union select to_address from changed
  ) as party;
  return null;
end $$;

create function tell_changed_transactions() returns trigger language plpgsql as $$
begin
  perform tell_account_changes(accounts_of_transactions(array_agg(chain_id), array_agg(tx_hash))) from changed;
  return null;
end $$;

-- A deposit is told of by the ragequit that takes it back.
create function tell_changed_pool_events() returns trigger language plpgsql as $$
begin
  perform tell_account_changes(accounts_of_transactions(array_agg(chain_id), array_agg(tx_hash))) from (
    select chain_id, tx_hash from changed where kind in ('relay', 'withdrawal', 'ragequit')
    union all
    select event.chain_id, event.tx_hash from changed cross join lateral (
      select pool_event.chain_id, pool_event.tx_hash from pool_event
      where pool_event.label = changed.label and pool_event.contract = changed.contract
        and pool_event.chain_id = changed.chain_id and pool_event.kind = 'ragequit' offset 0
    ) as event where changed.kind = 'deposit'
  ) as told having count(*) > 0;
  return null;
end $$;

-- An intent that is sent changes nothing yet. One whose event is there already would.
create function tell_late_intents() returns trigger language plpgsql as $$
begin
  perform tell_account_changes(array_agg(account_id)) from (
    select changed.account_id from changed cross join lateral (
      select from intent_event where intent_event.eoa = changed.eoa and intent_event.chain_id = changed.chain_id
        and intent_event.intent_nonce = changed.intent_nonce limit 1
    ) as event
  ) as told having count(*) > 0;
  return null;
end $$;

create function tell_watched_addresses() returns trigger language plpgsql as $$
begin
  perform tell_account_changes(accounts_of_addresses(array_agg(address))) from changed;
  return null;
end $$;

create function tell_rewatched_addresses() returns trigger language plpgsql as $$
begin
  perform tell_account_changes(accounts_of_addresses(array_agg(address)))
  from changed join removed using (chain_id, address)
  where changed.live_from <> removed.live_from
    or (changed.history_next is null) <> (removed.history_next is null)
  having count(*) > 0;
  return null;
end $$;

create function tell_moved_orders() returns trigger language plpgsql as $$
begin
  perform tell_account_changes(array_agg(account_id)) from (
    select changed.account_id from changed join removed using (quote_id)
    where (changed.deposit_tx, changed.fill_tx, changed.refund_tx, changed.depositor, changed.output_recipient,
        changed.origin_chain_id, changed.destination_chain_id)
      is distinct from (removed.deposit_tx, removed.fill_tx, removed.refund_tx, removed.depositor,
        removed.output_recipient, removed.origin_chain_id, removed.destination_chain_id)
  ) as told;
  return null;
end $$;

-- As in 0088.
alter function tell_changed_pool_events() set enable_seqscan to off;
alter function tell_changed_pool_events() set enable_hashjoin to off;
alter function tell_changed_pool_events() set enable_mergejoin to off;
alter function tell_late_intents() set enable_seqscan to off;

do $$
declare
  told record;
begin
  for told in select * from (values
    ('transfer', 'tell_changed_transfers', 'insert'), ('transfer', 'tell_changed_transfers', 'delete'),
    ('indexed_tx', 'tell_changed_transactions', 'insert'), ('indexed_tx', 'tell_changed_transactions', 'delete'),
    ('intent_event', 'tell_changed_transactions', 'insert'), ('intent_event', 'tell_changed_transactions', 'delete'),
    ('pool_event', 'tell_changed_pool_events', 'insert'), ('pool_event', 'tell_changed_pool_events', 'delete'),
    ('holding', 'tell_changed_owners', 'insert'), ('holding', 'tell_changed_owners', 'delete'),
    ('holding', 'tell_moved_holdings', 'update'),
    ('watched_address', 'tell_watched_addresses', 'insert'), ('watched_address', 'tell_watched_addresses', 'delete'),
    ('watched_address', 'tell_rewatched_addresses', 'update'),
    ('stealth_address', 'tell_changed_accounts', 'insert'), ('stealth_address', 'tell_changed_accounts', 'delete'),
    ('address_tag', 'tell_changed_accounts', 'insert'), ('address_tag', 'tell_changed_accounts', 'delete'),
    ('address_tag', 'tell_changed_accounts', 'update'),
    ('dapp_use', 'tell_changed_accounts', 'insert'), ('dapp_use', 'tell_changed_accounts', 'delete'),
    ('dapp_use', 'tell_changed_accounts', 'update'),
    ('account_token', 'tell_changed_accounts', 'insert'), ('account_token', 'tell_changed_accounts', 'delete'),
    ('account_token', 'tell_changed_accounts', 'update'),
    ('intent', 'tell_late_intents', 'insert'), ('intent', 'tell_changed_accounts', 'delete'),
    ('bridge_order', 'tell_changed_accounts', 'insert'), ('bridge_order', 'tell_changed_accounts', 'delete'),
    ('bridge_order', 'tell_moved_orders', 'update')
  ) as told (name, teller, event) loop
    execute format('create trigger %I after %s on %I %s for each statement execute function %I()',
      told.name || '_tells_' || told.event, told.event, told.name, case told.event
        when 'insert' then 'referencing new table as changed'
        when 'delete' then 'referencing old table as changed'
        else 'referencing new table as changed old table as removed' end, told.teller);
  end loop;
end $$;
