-- Adds new holdings to the sums of their accounts.
create or replace function add_to_account_holdings() returns trigger language plpgsql as $$
begin
  insert into account_holding as held (account_id, chain_id, token, amount)
  select account_id, moved.chain_id, moved.token, sum(moved.amount)
  from (
    select address, chain_id, token, amount from added where standard in ('native', 'erc20') and amount > 0
  ) as moved join stealth_address using (address)
  group by account_id, moved.chain_id, moved.token
  order by account_id, moved.chain_id, moved.token
  on conflict (account_id, chain_id, token) do update set amount = held.amount + excluded.amount;
  return null;
end $$;

create or replace trigger holding_added after insert on holding
  referencing new table as added for each statement execute function add_to_account_holdings();
