-- What was spent whole is remembered as zero until no reorg can bring it back: a block that is gone marks as stale what
-- was read from it, and that needs a row. Readers leave zeros out.
alter table holding drop constraint holding_check;
create index holding_zero on holding (chain_id, as_of_number) where amount = 0 and not stale;
