-- A note is also looked up by its nullifierHash alone, by those who follow it: that column comes first.
drop index relay_request_note;
create unique index relay_request_note on relay_request (nullifier_hash, pool, chain_id) where status <> 'failed';
