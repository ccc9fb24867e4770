-- An address that the service derives for the first time has no past, so no node is asked about it. An account that was deleted and
-- made again derives the same addresses: those may have one.
create table earlier_account (
  signer_hash bytea primary key check (octet_length(signer_hash) = 32),
  addresses bigint not null check (addresses > 0)
);
comment on table earlier_account is
  'How many addresses a deleted account had, by a keyed hash of the address that signed in. It has no time.';
alter table account add column addresses_before bigint not null default 0;
comment on column account.addresses_before is
  'Addresses below this derivation nonce were handed out by an earlier account of the same keys.';
