-- The chains are watched now: an address has activity when a transaction or a transfer touched it, or it has anything.
create or replace function address_has_activity(address text) returns boolean language sql stable as $$
  select exists (select from address_tx where address_tx.address = $1)
    or exists (select from transfer where to_address = $1)
    or exists (select from holding where holding.address = $1 and amount > 0)
$$;
create or replace function address_has_balance(address text) returns boolean language sql stable as $$
  select exists (select from holding where holding.address = $1 and amount > 0)
$$;
