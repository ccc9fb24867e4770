-- Counts changes of an order, except the times of its last and next check.
create or replace function tell_moved_orders() returns trigger language plpgsql as $$
begin
  perform tell_account_changes(array_agg(account_id)) from (
    select changed.account_id from changed join removed using (quote_id)
    where to_jsonb(changed) - '{origin_due,destination_due,updated_at}'::text[]
      <> to_jsonb(removed) - '{origin_due,destination_due,updated_at}'::text[]
  ) as told;
  return null;
end $$;

create or replace trigger bridge_order_tells_update after update on bridge_order
  referencing old table as removed new table as changed for each statement execute function tell_moved_orders();
