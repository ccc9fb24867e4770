-- Adds holdings that were read before the address was added: those of an account that was deleted and recreated.
-- Holdings written in one statement with their address are counted already; only those without an owner are added.
create or replace function adopt_holdings() returns trigger language plpgsql
set enable_seqscan = off
as $$
begin
  if not exists (
    select from holding where address = new.address and owner_account_id is distinct from new.account_id
  ) then return null; end if;
  with adopted as (
    update holding set owner_account_id = new.account_id
    where address = new.address and owner_account_id is distinct from new.account_id
    returning chain_id, standard, token, amount
  )
  insert into account_holding as held (account_id, chain_id, token, amount)
  select new.account_id, chain_id, token, sum(amount) from adopted
  where standard in ('native', 'erc20') and amount > 0
  group by chain_id, token order by chain_id, token
  on conflict (account_id, chain_id, token) do update set amount = held.amount + excluded.amount;
  return null;
end $$;

create or replace trigger stealth_address_holdings after insert on stealth_address
  for each row execute function adopt_holdings();
