-- Ends the withdrawals of collectibles with their quote.
create or replace function end_withdrawal_of_quote() returns trigger language plpgsql as $$
begin
  update collectible_withdrawal set ended_at = now() where quote_id = new.id and ended_at is null;
  return null;
end $$;

create or replace trigger quote_ends_withdrawal after update of status on quote for each row
  when (new.kind in ('nft_withdraw', 'dapp_call') and new.status not in ('locked', 'submitted'))
  execute function end_withdrawal_of_quote();
