-- Whose a holding and a lock are, so that what an account has now is found without asking each of its addresses, most of
-- which are used up. Null in holding for addresses that nobody watches any more.
alter table holding add column owner_account_id uuid;
alter table locked_funds add column owner_account_id uuid;

create function set_owner_of_address() returns trigger language plpgsql as $$
begin
  new.owner_account_id := (select account_id from stealth_address where address = new.address);
  return new;
end $$;
create trigger holding_owner before insert on holding
  for each row execute function set_owner_of_address();
create trigger locked_funds_owner before insert on locked_funds
  for each row execute function set_owner_of_address();

-- Addresses that come after their holdings: those of an account that was deleted and made again. Holdings that were written
-- in one statement with their address are counted already: those alone are added whose owner was not known.
create function adopt_holdings() returns trigger language plpgsql as $$
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
create trigger stealth_address_holdings after insert on stealth_address
  for each row execute function adopt_holdings();

-- As in 0088.
alter function set_owner_of_address() set enable_seqscan to off;
alter function adopt_holdings() set enable_seqscan to off;

update holding set owner_account_id = stealth_address.account_id
from stealth_address where stealth_address.address = holding.address;
update locked_funds set owner_account_id = stealth_address.account_id
from stealth_address where stealth_address.address = locked_funds.address;

create index holding_of_owner on holding (owner_account_id, chain_id, token, address)
  where amount > 0 and standard in ('native', 'erc20');
create index locked_funds_of_owner on locked_funds (owner_account_id) where amount > 0;
