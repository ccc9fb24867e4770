-- Deletes the payee of a cash-out whose quote ended without a deposit.
create or replace function forget_payee_of_quote() returns trigger language plpgsql as $$
begin
  delete from cash_payee where quote_id = new.id;
  return new;
end $$;

create or replace trigger quote_forgets_payee after update of status on quote for each row
  when (new.kind = 'offramp' and new.status in ('unlocked', 'expired', 'replaced', 'failed'))
  execute function forget_payee_of_quote();
