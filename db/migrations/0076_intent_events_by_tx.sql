-- What accounts sent by a transaction is found by it.
create index intent_event_tx on intent_event (chain_id, tx_hash);
