-- Moves the sums of accounts by the difference of changed holdings.
create or replace function move_account_holdings() returns trigger language plpgsql as $$
begin
  insert into account_holding as held (account_id, chain_id, token, amount)
  select account_id, moved.chain_id, moved.token, greatest(sum(moved.amount), 0)
  from (
    select address, chain_id, token, amount from added where standard in ('native', 'erc20')
    union all
    select address, chain_id, token, -amount from removed where standard in ('native', 'erc20')
  ) as moved join stealth_address using (address)
  group by account_id, moved.chain_id, moved.token
  having sum(moved.amount) > 0
  order by account_id, moved.chain_id, moved.token
  on conflict (account_id, chain_id, token) do update set amount = held.amount + excluded.amount;
  update account_holding as held set amount = held.amount + moved.amount
  from (
    select account_id, moved.chain_id, moved.token, sum(moved.amount) as amount
    from (
      select address, chain_id, token, amount from added where standard in ('native', 'erc20')
      union all
      select address, chain_id, token, -amount from removed where standard in ('native', 'erc20')
    ) as moved join stealth_address using (address)
    group by account_id, moved.chain_id, moved.token
    having sum(moved.amount) < 0
  ) as moved
  where held.account_id = moved.account_id and held.chain_id = moved.chain_id and held.token = moved.token;
  return null;
end $$;

create or replace trigger holding_moved after update on holding
  referencing new table as added old table as removed for each statement execute function move_account_holdings();
