-- Ends the recovery of a quote that ends without recovering the deposit. If the quote failed, erases what names the
-- note: whether any of it was published is uncertain.
create or replace function end_recovery_of_quote() returns trigger language plpgsql as $$
begin
  update pool_recovery set ended_at = now() where quote_id = new.id and ended_at is null;
  if new.status = 'failed' then
    new.terms := '{}';
    new.asked := '{}';
    update intent set encoded = null where quote_id = new.id;
  end if;
  return new;
end $$;

create or replace trigger quote_ends_recovery before update of status on quote for each row
  when (new.kind = 'pool_recover' and new.status in ('unlocked', 'expired', 'replaced', 'failed'))
  execute function end_recovery_of_quote();
