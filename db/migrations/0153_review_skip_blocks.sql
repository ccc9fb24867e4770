-- A block has a whole second as its time, and several blocks may have the same one. By chain, the last block of that second
-- with a trusted receipt that the owner had seen: {"1": "19000000"}. Null in skips of before: they go by the second alone.
alter table review_skip add column last_blocks jsonb check (jsonb_typeof(last_blocks) = 'object');
