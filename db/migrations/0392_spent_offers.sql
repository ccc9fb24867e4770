-- Who took the activation offer, so that an account that is deleted and made again does not get it again. A keyed hash of the
-- address that signs in: without the server's key nothing can be guessed from it. It has no time, and outlives the account.
create table spent_offer (
  mark bytea primary key check (octet_length(mark) = 32)
);
