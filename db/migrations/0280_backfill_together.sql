-- The past of many addresses that come together is read once for all of them: every block, instead of a history for each.

-- Number of the pass that reads the past of the address with that of many others; null where it is read on its own.
alter table watched_address add column pass bigint;
alter table watched_address add constraint watched_address_pass_has_past
  check (pass is null or (near_from is null and history_next is not null));
create index watched_address_pass on watched_address (chain_id, pass) where pass is not null;
drop index watched_address_behind;
create index watched_address_behind on watched_address (chain_id, near_from, history_next)
  where history_next is not null and pass is null;

-- The pass that addresses join which come now. It begins when the one before has ended.
alter table indexed_chain add column next_pass bigint not null default 1;
-- The next block of the pass before that one, and the block at which it ends; null while there is none.
alter table indexed_chain add column pass_block bigint;
alter table indexed_chain add column pass_end bigint;
alter table indexed_chain add constraint indexed_chain_pass check ((pass_block is null) = (pass_end is null));

-- Addresses are gone through in pages, and many of them are of one moment.
drop index stealth_address_created;
create index stealth_address_created on stealth_address (created_at, address);
