-- What the chains say about watched addresses (those of stealth_address), and about the pools. Addresses are checksummed
-- text, hashes lower case, amounts smallest units. Only blocks of the canonical chain have rows here: a reorg removes
-- what the blocks above its ancestor had brought, in the one transaction that sets the cursor back.

-- One row per chain: how far it is indexed, and which instance does it.
create table indexed_chain (
  chain_id bigint primary key,
  start_block bigint not null,
  -- The newest indexed block; start_block - 1 and null before the first.
  block_number bigint not null,
  block_hash text,
  -- resyncing: a reorg went deeper than the blocks that are kept, so that everything is read again from start_block.
  state text not null default 'syncing' check (state in ('syncing', 'live', 'resyncing')),
  -- Why it does not advance, for people; null while it does.
  problem text,
  reorgs bigint not null default 0,
  deepest_reorg bigint not null default 0,
  resyncs bigint not null default 0,
  -- No more than one instance works on a chain: every write checks the lease under the row's lock.
  lease_owner uuid,
  lease_until timestamptz,
  updated_at timestamptz not null default now(),
  check ((block_hash is null) = (block_number < start_block))
);

-- The newest indexed blocks, as many as a reorg may go back and a few more.
create table indexed_block (
  chain_id bigint not null references indexed_chain (chain_id) on delete cascade,
  number bigint not null,
  hash text not null,
  parent_hash text not null,
  mined_at timestamptz not null,
  primary key (chain_id, number)
);

-- From where an address is known to be matched, chain by chain. Blocks from live_from on are matched as they are
-- indexed; older ones are looked through after the address came: those that a reorg may still replace by their hash
-- (down to near_from), the rest by topic (from start_block up to history_next).
create table watched_address (
  chain_id bigint not null,
  address text not null references stealth_address (address) on delete cascade,
  live_from bigint not null,
  -- Null until the blocks that a reorg may still replace have been looked through.
  near_from bigint,
  -- The next block to look through by topic; null once all is done.
  history_next bigint,
  watched_since timestamptz not null default now(),
  primary key (chain_id, address)
);
create index watched_address_behind on watched_address (chain_id, near_from, history_next)
  where history_next is not null;
create index watched_address_cascade on watched_address (address);

-- Every movement of value from or to a watched address.
create table transfer (
  chain_id bigint not null,
  block_hash text not null,
  -- log: position is the log's index in the block, item the place in an ERC-1155 batch. call: position is the
  -- transaction's index in the block, item the place of the call in its trace (0 is the transaction itself).
  -- withdrawal: position is the place in the block's list of withdrawals from the consensus layer.
  source text not null check (source in ('log', 'call', 'withdrawal')),
  position integer not null,
  item integer not null default 0,
  block_number bigint not null,
  block_time timestamptz not null,
  -- Null for a withdrawal from the consensus layer alone.
  tx_hash text,
  standard text not null check (standard in ('native', 'erc20', 'erc721', 'erc1155')),
  -- The zero address for the native coin.
  token text not null,
  -- Null unless the standard has ids.
  token_id numeric(78, 0),
  from_address text not null,
  to_address text not null,
  amount numeric(78, 0) not null check (amount >= 0),
  primary key (chain_id, block_hash, source, position, item),
  check ((token_id is null) = (standard in ('native', 'erc20'))),
  check ((tx_hash is null) = (source = 'withdrawal'))
);
create index transfer_from on transfer (from_address, chain_id, block_number desc);
create index transfer_to on transfer (to_address, chain_id, block_number desc);
create index transfer_tx on transfer (chain_id, tx_hash);
create index transfer_block on transfer (chain_id, block_number);

-- Transactions that touch a watched address.
create table indexed_tx (
  chain_id bigint not null,
  tx_hash text not null,
  block_hash text not null,
  block_number bigint not null,
  block_time timestamptz not null,
  tx_index integer not null,
  from_address text not null,
  -- Null where it created a contract.
  to_address text,
  tx_nonce bigint not null,
  -- Wei sent along.
  value numeric(78, 0) not null,
  succeeded boolean not null,
  gas_used bigint not null,
  -- Wei paid for gas, with what the chain asks for its data where it says so.
  fee numeric(78, 0) not null,
  -- First 4 bytes of the call; null when there were fewer.
  selector text,
  primary key (chain_id, tx_hash)
);
create index indexed_tx_block on indexed_tx (chain_id, block_number);
create index indexed_tx_from on indexed_tx (from_address, chain_id, block_number desc);

-- Which watched address each of them touches: its activity.
create table address_tx (
  address text not null,
  chain_id bigint not null,
  tx_hash text not null,
  block_number bigint not null,
  block_time timestamptz not null,
  tx_index integer not null,
  primary key (address, chain_id, tx_hash)
);
create index address_tx_newest on address_tx (address, block_time desc, chain_id, tx_index desc);
create index address_tx_block on address_tx (chain_id, block_number);

-- Everything the pools and the Entrypoint of a chain say, whoever is concerned.
create table pool_event (
  chain_id bigint not null,
  block_hash text not null,
  log_index integer not null,
  block_number bigint not null,
  block_time timestamptz not null,
  tx_hash text not null,
  kind text not null check (kind in (
    -- Of the Entrypoint.
    'pool-registered', 'pool-removed', 'entrypoint-deposit', 'relay', 'asp-root',
    -- Of a pool.
    'deposit', 'withdrawal', 'ragequit', 'leaf')),
  -- Who emitted it.
  contract text not null,
  -- pool-registered, pool-removed, entrypoint-deposit: the pool. Else null.
  pool text,
  -- pool-registered, pool-removed, relay: in the pools' words (0xEeee… is the native coin).
  asset text,
  -- deposit, entrypoint-deposit: depositor. withdrawal: processooor. relay: recipient. ragequit: ragequitter.
  account text,
  -- relay: who sent it.
  relayer text,
  -- deposit, entrypoint-deposit, withdrawal, ragequit: amount. relay: amount with the fee.
  value numeric(78, 0),
  -- relay: relayFee.
  fee numeric(78, 0),
  -- deposit, ragequit, entrypoint-deposit: the commitment. withdrawal: the new commitment. leaf: the leaf.
  commitment numeric(78, 0),
  -- deposit, ragequit.
  label numeric(78, 0),
  -- deposit.
  precommitment numeric(78, 0),
  -- withdrawal.
  nullifier_hash numeric(78, 0),
  -- leaf: stateRoot after it. asp-root: aspRoot.
  root numeric(78, 0),
  -- leaf.
  leaf_index bigint,
  -- pool-registered, pool-removed.
  scope numeric(78, 0),
  -- asp-root: where its labels are published.
  ipfs_cid text,
  primary key (chain_id, block_hash, log_index)
);
create index pool_event_contract on pool_event (chain_id, contract, kind, block_number, log_index);
create index pool_event_block on pool_event (chain_id, block_number);
create index pool_event_tx on pool_event (chain_id, tx_hash);
create index pool_event_nullifier on pool_event (nullifier_hash) where nullifier_hash is not null;
create index pool_event_label on pool_event (label) where label is not null;
create index pool_event_commitment on pool_event (commitment) where commitment is not null;
create index pool_event_account on pool_event (account) where account is not null;

-- IntentExecuted of a chain's orchestrator, for watched addresses.
create table intent_event (
  chain_id bigint not null,
  block_hash text not null,
  log_index integer not null,
  block_number bigint not null,
  block_time timestamptz not null,
  tx_hash text not null,
  orchestrator text not null,
  eoa text not null,
  intent_nonce numeric(78, 0) not null,
  incremented boolean not null,
  -- The orchestrator's error selector; 0x00000000 when the intent succeeded.
  err text not null,
  primary key (chain_id, block_hash, log_index)
);
create index intent_event_eoa on intent_event (eoa, chain_id, intent_nonce);
create index intent_event_block on intent_event (chain_id, block_number);

-- What a watched address has, as its chain says; nothing is summed up from transfers. There are rows for what is not
-- zero, and for what is stale.
create table holding (
  chain_id bigint not null,
  address text not null,
  standard text not null check (standard in ('native', 'erc20', 'erc721', 'erc1155')),
  -- The zero address for the native coin.
  token text not null,
  -- 0 where the standard has no ids.
  token_id numeric(78, 0) not null default 0,
  amount numeric(78, 0) not null default 0 check (amount >= 0),
  -- Touched since, or read from a block that is gone: amount is to be read again, and is so within moments.
  stale boolean not null,
  -- The block after which the chain gave that amount; null when none has been read.
  as_of_number bigint,
  as_of_hash text,
  primary key (address, chain_id, standard, token, token_id),
  check (stale or amount > 0),
  check (stale or as_of_hash is not null)
);
create index holding_stale on holding (chain_id) where stale;
create index holding_as_of on holding (chain_id, as_of_number);
