-- Calldata of transactions that an address of an account sent by itself, for the account's activity; null for all others, and
-- for more than 64 KiB.
alter table indexed_tx add column input text;
