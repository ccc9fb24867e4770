-- Logs orders and cash-outs in another state; the times of their next checks are none.
create or replace function log_moved_orders() returns trigger language plpgsql as $$
begin
  perform write_account_events(array_agg(changed.account_id), array_agg(what.kind),
    array_agg(changed.quote_id::text))
  from changed join removed using (quote_id)
  cross join lateral (values ('relay'), ('activity')) as what (kind)
  where to_jsonb(changed) - '{origin_due,destination_due,block_due,time_due,updated_at}'::text[]
    <> to_jsonb(removed) - '{origin_due,destination_due,block_due,time_due,updated_at}'::text[];
  return null;
end $$;

create or replace trigger bridge_order_logs_update after update on bridge_order
  referencing old table as removed new table as changed for each statement execute function log_moved_orders();

create or replace trigger cash_order_logs_update after update on cash_order
  referencing old table as removed new table as changed for each statement execute function log_moved_orders();
