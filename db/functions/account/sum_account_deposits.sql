-- Maintains account_deposit_sum per statement: a row that changes thousands of times in one transaction becomes slow.
create or replace function sum_account_deposits() returns trigger language plpgsql as $$
declare
  sums account_deposit_sum;
begin
  if tg_op <> 'DELETE' then
    insert into account_deposit_sum as summed (account_id, chain_id, pool, standing, amount, deposits)
    select account_id, chain_id, pool, standing, sum(value), count(*) from added
    group by account_id, chain_id, pool, standing order by account_id, chain_id, pool, standing
    on conflict (account_id, chain_id, pool, standing) do update
      set amount = summed.amount + excluded.amount, deposits = summed.deposits + excluded.deposits;
  end if;
  if tg_op <> 'INSERT' then
    for sums in
      select account_id, chain_id, pool, standing, sum(value), count(*) from removed
      group by account_id, chain_id, pool, standing order by account_id, chain_id, pool, standing
    loop
      update account_deposit_sum set amount = amount - sums.amount, deposits = deposits - sums.deposits
      where account_id = sums.account_id and chain_id = sums.chain_id and pool = sums.pool
        and standing = sums.standing;
      delete from account_deposit_sum
      where account_id = sums.account_id and chain_id = sums.chain_id and pool = sums.pool
        and standing = sums.standing and deposits = 0;
    end loop;
  end if;
  return null;
end $$;

create or replace trigger account_deposit_added after insert on account_deposit
  referencing new table as added for each statement execute function sum_account_deposits();

create or replace trigger account_deposit_moved after update on account_deposit
  referencing new table as added old table as removed for each statement execute function sum_account_deposits();

create or replace trigger account_deposit_removed after delete on account_deposit
  referencing old table as removed for each statement execute function sum_account_deposits();
