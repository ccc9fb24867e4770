-- Subtracts deleted holdings from the sums of their accounts.
create or replace function take_from_account_holdings() returns trigger language plpgsql as $$
begin
  update account_holding as held set amount = held.amount - moved.amount
  from (
    select account_id, removed.chain_id, removed.token, sum(removed.amount) as amount
    from removed join stealth_address using (address)
    where standard in ('native', 'erc20') and removed.amount > 0
    group by account_id, removed.chain_id, removed.token
  ) as moved
  where held.account_id = moved.account_id and held.chain_id = moved.chain_id and held.token = moved.token;
  return null;
end $$;

create or replace trigger holding_removed after delete on holding
  referencing old table as removed for each statement execute function take_from_account_holdings();
