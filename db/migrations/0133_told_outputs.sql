-- A venue outside the chain was told that the address is to get something: no other quote may offer it again.
alter table stealth_address add column told_to_venue boolean not null default false;
