-- What the SpokePool of a chain says of watched addresses. A reorg removes the rows with their blocks, as those of transfers.
create table bridge_event (
  chain_id bigint not null,
  block_hash text not null,
  log_index integer not null,
  -- refund: place in the event's list. Else 0.
  item integer not null default 0,
  block_number bigint not null,
  block_time timestamptz not null,
  tx_hash text not null,
  kind text not null check (kind in ('deposit', 'fill', 'refund', 'refund-claim')),
  -- deposit, fill: the depositor, as the event says. refund, refund-claim: to whom it is owed.
  address text not null,
  -- refund, refund-claim: what is paid back. Else null.
  token text,
  -- fill: what the recipient got of the bridged token. refund, refund-claim: what is paid back. Else null.
  amount numeric(78, 0),
  -- refund: the payment failed, and is to be claimed. Else null.
  is_deferred boolean,
  -- deposit, fill: hash over all members, equal for a deposit and its fill. Else null.
  relay_key text,
  deposit_id numeric(78, 0),
  -- deposit.
  quote_timestamp bigint,
  -- fill: whom the handler gave the bridged token after the calls of the message failed; null where they did not.
  fallback_recipient text,
  primary key (chain_id, block_hash, log_index, item)
);
create index bridge_event_address on bridge_event (address, chain_id);
create index bridge_event_tx on bridge_event (chain_id, tx_hash);
create index bridge_event_relay on bridge_event (relay_key) where kind = 'fill';
create index bridge_event_block on bridge_event (chain_id, block_number);
