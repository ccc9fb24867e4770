-- Deletes the payee of a cash-out that ended. Nothing needs it afterwards, not even after a reorg: the venue's curator
-- has it.
create or replace function forget_payee_of_order() returns trigger language plpgsql as $$
begin
  delete from cash_payee where quote_id = new.quote_id;
  return new;
end $$;

create or replace trigger cash_order_forgets_payee after update of ended_at on cash_order for each row
  when (new.ended_at is not null) execute function forget_payee_of_order();
