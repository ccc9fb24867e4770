-- Statements that read all of a table once it is large.

-- Orders that ended a moment ago.
create index bridge_order_ended on bridge_order (ended_at) where ended_at is not null;
create index pool_conversion_account on pool_conversion (account_id, chain_id, pool);
create index relay_revert_chain on relay_revert (chain_id);
-- Codes whose time is over.
create index oauth_code_over on oauth_code (coalesce(token_expires_at, expires_at));
-- What the upkeep deletes, oldest first: signed forms of transactions, and quotes that ended without being submitted.
create index outbound_attempt_created on outbound_attempt (created_at);
create index quote_lapsed on quote (ended_at) where status in ('unlocked', 'expired', 'replaced');

-- A tenth or a fifth of a large table is millions of rows: until then its statistics would not know the newest blocks and
-- times, and its indexes would keep what is settled among what is under way.
do $$
declare
  name text;
begin
  foreach name in array array['transfer', 'indexed_tx', 'address_tx', 'account_tx', 'pool_event', 'intent_event', 'bridge_event',
    'outbound_attempt', 'relay_ledger', 'send_income', 'send_gas', 'stealth_address', 'watched_address', 'account']
  loop
    execute format('alter table %I set (autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 5000,
      autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 50000)', name);
  end loop;
  foreach name in array array['outbound_tx', 'relay_request', 'quote', 'reservation', 'intent', 'holding', 'locked_funds',
    'account_holding', 'idempotency_key', 'bridge_order']
  loop
    execute format('alter table %I set (autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 5000,
      autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000)', name);
  end loop;
end $$;
