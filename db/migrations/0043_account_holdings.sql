-- What all addresses of an account have together, token by token, so that a balance costs the same whatever their
-- number. Kept by the statements that write holdings, in their transactions; one worker writes a chain's holdings at a
-- time, and rows of different chains never meet.
create table account_holding (
  account_id uuid not null references account (id) on delete cascade,
  chain_id bigint not null,
  token text not null,
  amount numeric(78, 0) not null check (amount >= 0),
  primary key (account_id, chain_id, token)
);

create function add_to_account_holdings() returns trigger language plpgsql as $$
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

create function take_from_account_holdings() returns trigger language plpgsql as $$
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

create function move_account_holdings() returns trigger language plpgsql as $$
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

create trigger holding_added after insert on holding
  referencing new table as added for each statement execute function add_to_account_holdings();
create trigger holding_removed after delete on holding
  referencing old table as removed for each statement execute function take_from_account_holdings();
create trigger holding_moved after update on holding
  referencing new table as added old table as removed for each statement execute function move_account_holdings();

insert into account_holding (account_id, chain_id, token, amount)
select account_id, chain_id, token, sum(amount) from holding join stealth_address using (address)
where standard in ('native', 'erc20') group by account_id, chain_id, token;
