-- What live quotes have promised of an address's funds. The check makes a double promise impossible: whoever locks
-- adds to `amount` and writes what the address has into `ceiling`, in one statement.
create table locked_funds (
  chain_id bigint not null,
  address text not null references stealth_address (address) on delete cascade,
  -- The zero address for the native coin.
  token text not null,
  -- Smallest unit.
  amount numeric(78, 0) not null check (amount >= 0),
  ceiling numeric(78, 0) not null,
  primary key (address, chain_id, token),
  constraint locked_funds_within_holding check (amount <= ceiling)
);
