-- How many addresses an account has, which lists tell with each page. Kept by what adds addresses, in its transactions.
alter table account add column address_count bigint not null default 0 check (address_count >= 0);

update account set address_count = (select count(*) from stealth_address where account_id = account.id);

create function count_addresses() returns trigger language plpgsql as $$
declare
  counted record;
begin
  for counted in
    select account_id, count(*) * case tg_op when 'INSERT' then 1 else -1 end as more
    from moved group by account_id order by account_id
  loop
    update account set address_count = address_count + counted.more where id = counted.account_id;
  end loop;
  return null;
end $$;
-- As in 0088.
alter function count_addresses() set enable_seqscan to off;

create trigger stealth_address_added after insert on stealth_address
  referencing new table as moved for each statement execute function count_addresses();
create trigger stealth_address_removed after delete on stealth_address
  referencing old table as moved for each statement execute function count_addresses();
