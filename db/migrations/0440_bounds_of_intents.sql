-- What of a shared transaction an intent did. Its logs are those from first_log to log_index: the event is the last of them. It
-- is null where something other than the orchestrator may have logged before. Its moves of native coins are those calls whose
-- `item` lies between first_move and last_move: null where no traces show that, 1 and 0 where it moved none.
alter table intent_event add column first_log integer;
alter table intent_event add column first_move integer;
alter table intent_event add column last_move integer;

-- Of older rows the intents of accounts are known, which are nearly all that shared a transaction.
update intent_event as known set first_log = bounds.first_log
from (
  select chain_id, block_hash, log_index,
    coalesce(lag(log_index) over (partition by chain_id, block_hash, tx_hash order by log_index) + 1, 0) as first_log
  from intent_event
) as bounds
where known.chain_id = bounds.chain_id and known.block_hash = bounds.block_hash and known.log_index = bounds.log_index
  and exists (
    select from indexed_tx where indexed_tx.chain_id = known.chain_id and indexed_tx.tx_hash = known.tx_hash
      and indexed_tx.to_address = known.orchestrator
  );
