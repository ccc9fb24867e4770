-- Calls that apps ask for, and the one address of an account that each app knows.

insert into quote_kind (name) values ('dapp_call');

-- `app`: made to be shown to one app; never handed to payers or other apps, and never spent together with others.
alter table stealth_address drop constraint stealth_address_generation_context_check;
alter table stealth_address add constraint stealth_address_generation_context_check
  check (generation_context in ('external', 'fund-movement', 'app'));

-- An address is known to one app, and an app knows one address of an account. Nothing wrote the table before.
delete from dapp_use older using dapp_use newer
where older.address = newer.address and (older.last_used_at, older.origin) < (newer.last_used_at, newer.origin);
delete from dapp_use older using dapp_use newer
where (older.account_id, older.origin) = (newer.account_id, newer.origin)
  and (older.last_used_at, older.address) < (newer.last_used_at, newer.address);
alter table dapp_use drop constraint dapp_use_pkey;
alter table dapp_use add primary key (address);
create unique index dapp_use_app on dapp_use (account_id, origin);

-- A call of an app may cost its fee and nothing else.
alter table quote drop constraint quote_amount_check;
alter table quote add constraint quote_amount_check check (amount > 0 or (amount = 0 and kind = 'dapp_call'));

-- What an app asked for, for the account's activity.
create table dapp_call (
  quote_id uuid primary key,
  account_id uuid not null,
  origin text not null,
  description text,
  -- A list of {to, value, data}, the value in decimal digits.
  calls jsonb not null,
  foreign key (quote_id, account_id) references quote (id, account_id) on delete cascade
);
