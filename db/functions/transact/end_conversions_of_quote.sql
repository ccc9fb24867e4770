-- Ends the conversions of a quote that ends unsubmitted: only the client ever had it.
create or replace function end_conversions_of_quote() returns trigger language plpgsql as $$
begin
  update pool_conversion set ended_at = now() where quote_id = new.id and ended_at is null;
  return null;
end $$;

create or replace trigger quote_ends_conversions after update of status on quote for each row
  when (new.kind = 'pool_deposit' and new.status in ('unlocked', 'expired', 'replaced'))
  execute function end_conversions_of_quote();
