-- What each signer has in hand is counted for every relay and every look at a chain: from this index alone, whose size is
-- that of the work under way and not of its history.
create index outbound_tx_unfinished on outbound_tx (chain_id, signer) include (reserved, mined_hash)
  where status in ('queued', 'signed', 'sent');
