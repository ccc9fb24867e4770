-- Logs transactions that touch an address, or that a reorg removed.
create or replace function log_touching_transactions() returns trigger language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
begin
  perform write_account_events(array_agg(own.account_id), array_agg(what.kind), array_agg(what.subject))
  from changed
  cross join lateral (
    select account_id from stealth_address where stealth_address.address = changed.address offset 0
  ) as own
  cross join lateral (
    values ('activity', concat_ws(' ', changed.chain_id, changed.tx_hash)), ('review', '')
  ) as what (kind, subject);
  return null;
end $$;

create or replace trigger address_tx_logs_insert after insert on address_tx
  referencing new table as changed for each statement execute function log_touching_transactions();

create or replace trigger address_tx_logs_delete after delete on address_tx
  referencing old table as changed for each statement execute function log_touching_transactions();
