-- Sets the account that owns the address of a new row.
create or replace function set_owner_of_address() returns trigger language plpgsql
set enable_seqscan = off
as $$
begin
  new.owner_account_id := (select account_id from stealth_address where address = new.address);
  return new;
end $$;

create or replace trigger holding_owner before insert on holding
  for each row execute function set_owner_of_address();

create or replace trigger locked_funds_owner before insert on locked_funds
  for each row execute function set_owner_of_address();
