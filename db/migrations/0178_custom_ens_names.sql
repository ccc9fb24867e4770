-- An ENS name of the account's own, encrypted by the client. Nobody here can read it.
alter table account add column encrypted_custom_ens_name text
  check (length(encrypted_custom_ens_name) between 1 and 2048);
