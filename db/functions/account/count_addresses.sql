-- Maintains account.address_count.
create or replace function count_addresses() returns trigger language plpgsql
set enable_seqscan = off
as $$
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

create or replace trigger stealth_address_added after insert on stealth_address
  referencing new table as moved for each statement execute function count_addresses();

create or replace trigger stealth_address_removed after delete on stealth_address
  referencing old table as moved for each statement execute function count_addresses();
