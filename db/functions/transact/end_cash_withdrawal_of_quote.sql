-- Ends a withdrawal from an escrow with its quote, however the quote ends.
create or replace function end_cash_withdrawal_of_quote() returns trigger language plpgsql as $$
begin
  update cash_withdrawal set ended_at = now() where quote_id = new.id and ended_at is null;
  return new;
end $$;

create or replace trigger quote_ends_cash_withdrawal after update of status on quote for each row
  when (new.kind = 'offramp_withdraw' and new.status in ('unlocked', 'expired', 'replaced', 'failed', 'confirmed'))
  execute function end_cash_withdrawal_of_quote();
