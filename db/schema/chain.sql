-- The broadcast engine: who may sign for an account, what is to be sent, and every signed form of it.
create table signer (
  chain_id bigint not null,
  address text not null,
  -- The instance of the service that alone may sign, and until when.
  lease_owner uuid,
  lease_until timestamptz,
  -- Null until the account's nonce was read from the chain.
  next_tx_nonce bigint,
  primary key (chain_id, address)
);

create table outbound_tx (
  id uuid primary key,
  position bigint not null generated always as identity,
  chain_id bigint not null,
  kind text not null,
  reference text not null,
  to_address text not null,
  -- Null once it is settled and its retention is over.
  data bytea,
  -- Wei.
  value numeric not null check (value >= 0),
  gas_limit bigint not null check (gas_limit > 0),
  -- signed: an attempt is on disk, no node is known to have it. sent: a node took one.
  status text not null default 'queued'
    check (status in ('queued', 'signed', 'sent', 'confirmed', 'reverted', 'abandoned')),
  signer text,
  tx_nonce bigint,
  -- Wei that the newest attempt may cost at most.
  reserved numeric not null default 0,
  -- How often nodes refused it for reasons that we do not know.
  refusals integer not null default 0,
  -- Where a receipt was last seen; a reorg clears it until the row is settled.
  mined_hash text,
  mined_block_number bigint,
  mined_block_hash text,
  -- Wei, from the receipt.
  fee numeric,
  gas_used bigint,
  -- Why it was abandoned.
  reason text,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  -- EIP-7702 delegations that the transaction carries, as [{contractAddress, chainId, authorizationNonce,
  -- signature}]. Null for a plain transaction, and erased together with the calldata.
  authorizations jsonb
    check (jsonb_typeof(authorizations) = 'array' and jsonb_array_length(authorizations) > 0),
  -- When a queued transaction was last found fit to be sent.
  reviewed_at timestamptz,
  -- Why it can only fail by now. Its next form is a transfer of nothing under the same nonce; the forms before still stand,
  -- so the call stays as it is.
  pointless text,
  pointless_at timestamptz,
  -- Whether its block has the call that was asked for; null while it is in no block.
  mined_well boolean,
  -- What the fee of a transaction covers, in wei, and the gas that it is expected to use: checked again before it is signed, and a
  -- bound of every form. Null where nothing is paid for it: then only the chain's cap binds.
  covered numeric,
  likely_gas bigint,
  unique (kind, reference),
  check ((signer is null) = (tx_nonce is null)),
  check (status not in ('signed', 'sent', 'confirmed', 'reverted') or signer is not null),
  check (status <> 'queued' or signer is null),
  check ((status in ('confirmed', 'reverted', 'abandoned')) = (settled_at is not null)),
  constraint outbound_tx_pointless check ((pointless is null) = (pointless_at is null)),
  constraint outbound_tx_cover check ((covered is null) = (likely_gas is null))
) with (
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000
);
-- Only while unfinished: a chain that lost blocks hands the same nonces out again.
create unique index outbound_tx_nonce on outbound_tx (chain_id, signer, tx_nonce) where status in ('signed', 'sent');
create index outbound_tx_queue on outbound_tx (chain_id, position) where status = 'queued';
create index outbound_tx_settled_nonce on outbound_tx (chain_id, signer, tx_nonce)
  where status in ('confirmed', 'reverted');
create index outbound_tx_forget on outbound_tx (settled_at) where settled_at is not null and data is not null;
-- What each signer has in hand is counted for every relay and every look at a chain: from this index alone, whose size is
-- that of the work under way and not of its history.
create index outbound_tx_unfinished on outbound_tx (chain_id, signer) include (reserved, mined_hash)
  where status in ('queued', 'signed', 'sent');

create table outbound_attempt (
  hash text primary key,
  outbound_id uuid not null references outbound_tx (id),
  -- The signed transaction; null once its row is settled and its retention is over.
  raw bytea,
  max_fee_per_gas numeric not null,
  max_priority_fee_per_gas numeric not null,
  -- unknown: it may or may not have reached a node. refused: no node has it.
  delivery text not null default 'unknown' check (delivery in ('unknown', 'accepted', 'refused')),
  refusal text,
  created_at timestamptz not null default clock_timestamp()
) with (
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 50000
);
create index outbound_attempt_outbound on outbound_attempt (outbound_id, created_at);
-- What the upkeep deletes, oldest first: signed forms of transactions, and quotes that ended without being submitted.
create index outbound_attempt_created on outbound_attempt (created_at);

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
  -- Which term of a chain's lease it is: a new one begins whenever another instance takes it. Who had the lease, lost it and
  -- has it again must not go on with what it knew: the other may have watched addresses meanwhile.
  lease_term bigint not null default 1,
  -- A chain without a relayer is indexed without the events of privacy pools. When a relayer is configured for it later, those
  -- of the past are missing and the chain has to be read again.
  with_pools boolean not null default true,
  -- A node without traces does not show all moves of native coins: where such coins come from is not known of addresses that
  -- were watched by then. The newest block that was read like this; null where none was.
  untraced_to bigint,
  -- The pass that addresses join which come now. It begins when the one before has ended.
  next_pass bigint not null default 1,
  -- The next block of the pass before that one, and the block at which it ends; null while there is none.
  pass_block bigint,
  pass_end bigint,
  -- Rows of blocks that the database refused, which were left out so that the rest could be written.
  rows_set_aside bigint not null default 0,
  -- Up to which block the native balances of all watched addresses were compared after the last block that did not show all moves
  -- of native coins. A round is owed while untraced_to is above it.
  swept_to bigint,
  -- Blocks that were left out and not completed in time.
  blocks_given_up bigint not null default 0,
  check ((block_hash is null) = (block_number < start_block)),
  constraint indexed_chain_pass check ((pass_block is null) = (pass_end is null))
);

-- The newest indexed blocks, as many as a reorg may go back and a few more.
create table indexed_block (
  chain_id bigint not null references indexed_chain (chain_id) on delete cascade,
  number bigint not null,
  hash text not null,
  parent_hash text not null,
  mined_at timestamptz not null,
  -- What an address received before the service issued it is older. Clocks of chains run ahead and behind, so what was indexed by
  -- then tells it: the newest block that was, null where none is known.
  indexed_at timestamptz default now(),
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
  -- The past of many addresses that come together is read once for all of them: every block, instead of a history for each.
  -- Number of the pass that reads the past of the address with that of many others; null where it is read on its own.
  pass bigint,
  early_to bigint,
  primary key (chain_id, address),
  constraint watched_address_pass_has_past
    check (pass is null or (near_from is null and history_next is not null))
) with (
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 50000
);
create index watched_address_cascade on watched_address (address);
create index watched_address_pass on watched_address (chain_id, pass) where pass is not null;
create index watched_address_behind on watched_address (chain_id, near_from, history_next)
  where history_next is not null and pass is null;

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
  token_id numeric,
  from_address text not null,
  to_address text not null,
  amount numeric not null check (amount >= 0),
  primary key (chain_id, block_hash, source, position, item),
  check ((token_id is null) = (standard in ('native', 'erc20'))),
  check ((tx_hash is null) = (source = 'withdrawal'))
) with (
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 50000
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
  value numeric not null,
  succeeded boolean not null,
  gas_used bigint not null,
  -- Wei paid for gas, with what the chain asks for its data where it says so.
  fee numeric not null,
  -- First 4 bytes of the call; null when there were fewer.
  selector text,
  -- Calldata of transactions that an address of an account sent by itself, for the account's activity; null for all others, and
  -- for more than 64 KiB.
  input text,
  primary key (chain_id, tx_hash)
) with (
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 50000
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
) with (
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 50000
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
  -- The first line is of the Entrypoint, the second of a pool.
  kind text not null check (kind in (
    'pool-registered', 'pool-removed', 'entrypoint-deposit', 'relay', 'asp-root',
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
  value numeric,
  -- relay: relayFee.
  fee numeric,
  -- deposit, ragequit, entrypoint-deposit: the commitment. withdrawal: the new commitment. leaf: the leaf.
  commitment numeric,
  -- deposit, ragequit.
  label numeric,
  -- deposit.
  precommitment numeric,
  -- withdrawal.
  nullifier_hash numeric,
  -- leaf: stateRoot after it. asp-root: aspRoot.
  root numeric,
  -- leaf.
  leaf_index bigint,
  -- pool-registered, pool-removed.
  scope numeric,
  -- asp-root: where its labels are published.
  ipfs_cid text,
  primary key (chain_id, block_hash, log_index),
  constraint pool_event_relay_recipient check (kind <> 'relay' or account is null)
) with (
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 50000
);
create index pool_event_contract on pool_event (chain_id, contract, kind, block_number, log_index);
create index pool_event_block on pool_event (chain_id, block_number);
create index pool_event_tx on pool_event (chain_id, tx_hash);
create index pool_event_nullifier on pool_event (nullifier_hash) where nullifier_hash is not null;
create index pool_event_label on pool_event (label) where label is not null;
create index pool_event_commitment on pool_event (commitment) where commitment is not null;
create index pool_event_account on pool_event (account) where account is not null;
create index pool_event_registered on pool_event (chain_id, pool) where kind = 'pool-registered';
create index pool_event_precommitment on pool_event (precommitment) where kind = 'deposit';
-- The leaves of a pool by their place in the tree, which begins with 1.
create index pool_event_leaf on pool_event (chain_id, contract, leaf_index) where kind = 'leaf';
create index pool_event_ragequit on pool_event (label, contract, chain_id) where kind = 'ragequit';

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
  intent_nonce numeric not null,
  incremented boolean not null,
  -- The orchestrator's error selector; 0x00000000 when the intent succeeded.
  err text not null,
  -- What of a shared transaction an intent did. Its logs are those from first_log to log_index: the event is the last of them. It
  -- is null where something other than the orchestrator may have logged before. Its moves of native coins are those calls whose
  -- `item` lies between first_move and last_move: null where no traces show that, 1 and 0 where it moved none.
  first_log integer,
  first_move integer,
  last_move integer,
  primary key (chain_id, block_hash, log_index)
) with (
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 50000
);
create index intent_event_eoa on intent_event (eoa, chain_id, intent_nonce);
create index intent_event_block on intent_event (chain_id, block_number);
-- What accounts sent by a transaction is found by it.
create index intent_event_tx on intent_event (chain_id, tx_hash);

-- What a watched address has, as its chain says; nothing is summed up from transfers. There are rows for what is not
-- zero, and for what is stale.
create table holding (
  chain_id bigint not null,
  address text not null,
  standard text not null check (standard in ('native', 'erc20', 'erc721', 'erc1155')),
  -- The zero address for the native coin.
  token text not null,
  -- 0 where the standard has no ids.
  token_id numeric not null default 0,
  amount numeric not null default 0 check (amount >= 0),
  -- Touched since, or read from a block that is gone: amount is to be read again, and is so within moments.
  stale boolean not null,
  -- The block after which the chain gave that amount; null when none has been read.
  as_of_number bigint,
  as_of_hash text,
  -- The account of the address, so that what an account has is found without asking each of its addresses, most of which are used
  -- up. Null for addresses that nobody watches any more.
  owner_account_id uuid,
  -- absurd: the contract said an amount that nobody can have, and nothing is counted. unreadable: no node could read it.
  -- unwritable: the database refused the amount. Of the last two the amount is the one before, and they are tried again at retry_at.
  problem text check (problem in ('absurd', 'unreadable', 'unwritable')),
  retry_at timestamptz not null default '-infinity',
  primary key (address, chain_id, standard, token, token_id),
  constraint holding_check1 check (stale or as_of_hash is not null)
) with (
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000
);
create index holding_as_of on holding (chain_id, as_of_number);
create index holding_of_owner on holding (owner_account_id, chain_id, token, address)
  where amount > 0 and standard in ('native', 'erc20');
-- Finds an account's collectibles without asking each of its addresses.
create index holding_collectible on holding (owner_account_id, chain_id, token)
  where amount > 0 and standard = 'erc721';
create index holding_problem on holding (chain_id) where problem is not null;
create index holding_stale on holding (chain_id, retry_at) where stale;
create index holding_zero on holding (chain_id, as_of_number) where amount = 0 and not stale and problem is null;

-- Gas that nobody paid for: what is lost, and what may be. Neither names a recipient.

-- Transactions under way whose recipient is a contract and may make them fail: what they cost at most, until they end.
create table gas_at_risk (
  -- The relay request, or the quote of a send.
  reference uuid,
  chain_id bigint not null,
  share text not null,
  -- The transaction's gas limit; 0 once it was mined and lost.
  gas bigint not null check (gas >= 0),
  -- Gas that the fee pays for; null where a success pays for all.
  paid_gas bigint,
  created_at timestamptz not null default now(),
  outbound_id uuid not null,
  contracts text[] not null default '{}',
  network text,
  primary key (outbound_id, reference),
  constraint gas_at_risk_share
    check (share in ('relay', 'new', 'proven', 'plain_relay', 'plain_new', 'plain_proven'))
);
create index gas_at_risk_chain on gas_at_risk (chain_id);

create table gas_lost (
  chain_id bigint not null,
  share text not null,
  gas bigint not null check (gas > 0),
  lost_at timestamptz not null default now(),
  -- The relay request, or the quote of a send; null where neither is known any more.
  reference uuid,
  contracts text[] not null default '{}',
  network text,
  constraint gas_lost_share
    check (share in ('relay', 'new', 'proven', 'plain_relay', 'plain_new', 'plain_proven'))
);
create index gas_lost_recent on gas_lost (chain_id, lost_at);
create index gas_lost_old on gas_lost (lost_at);

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
  amount numeric,
  -- refund: the payment failed, and is to be claimed. Else null.
  is_deferred boolean,
  -- deposit, fill: hash over all members, equal for a deposit and its fill. Else null.
  relay_key text,
  deposit_id numeric,
  -- deposit.
  quote_timestamp bigint,
  -- fill: whom the handler gave the bridged token after the calls of the message failed; null where they did not.
  fallback_recipient text,
  primary key (chain_id, block_hash, log_index, item)
) with (
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 50000
);
create index bridge_event_address on bridge_event (address, chain_id);
create index bridge_event_tx on bridge_event (chain_id, tx_hash);
create index bridge_event_relay on bridge_event (relay_key) where kind = 'fill';
create index bridge_event_block on bridge_event (chain_id, block_number);

-- The contracts by which orders over a bridge are followed, as they were configured last: orders outlive a configuration.
create table bridge_contract (
  chain_id bigint not null,
  spoke_pool text not null,
  multicall_handler text,
  updated_at timestamptz not null default now()
);
create unique index bridge_contract_key on bridge_contract (chain_id, spoke_pool, coalesce(multicall_handler, ''));

-- By which contracts orders of a chain are followed, as configured last.
create table cash_contract (
  chain_id bigint not null,
  escrow text not null,
  orchestrator text not null,
  updated_at timestamptz not null default now(),
  primary key (chain_id, escrow, orchestrator)
);
comment on table cash_contract is 'Escrows of cash-outs by chain, so that orders are followed when one is no longer configured.';

-- What escrow and orchestrator say of deposits of watched addresses. A reorg removes the rows with their blocks.
create table cash_event (
  chain_id bigint not null,
  block_hash text not null,
  log_index integer not null,
  block_number bigint not null,
  block_time timestamptz not null,
  tx_hash text not null,
  kind text not null check (kind in ('received', 'added', 'withdrawn', 'closed', 'accepting', 'dust', 'locked', 'extended',
    'unlocked', 'transferred', 'signaled', 'pruned', 'fulfilled')),
  -- The deposit's depositor.
  address text not null,
  escrow text not null,
  deposit_id numeric not null,
  -- received: hash over all members.
  deposit_key text,
  -- transferred: what left the escrow. Null for closed, accepting, extended, pruned.
  amount numeric,
  -- Of buyers: locked, extended, unlocked, transferred, signaled, pruned, fulfilled.
  intent_hash text,
  -- locked, extended: until when the buyer can pay; seconds since 1970.
  expires_at bigint,
  -- signaled: what a whole token costs, times 1e18.
  rate numeric,
  -- transferred: what the buyer held. What did not leave is free again.
  held numeric,
  -- fulfilled: the seller released it without a proof. accepting: buyers may come.
  flag boolean,
  primary key (chain_id, block_hash, log_index)
);
comment on table cash_event is 'Events of cash-outs'' escrows and orchestrators about deposits of watched addresses.';
create index cash_event_address on cash_event (address, chain_id);
create index cash_event_tx on cash_event (chain_id, tx_hash);
create index cash_event_deposit on cash_event (chain_id, escrow, deposit_id);
create index cash_event_intent on cash_event (chain_id, intent_hash) where kind = 'locked';
create index cash_event_block on cash_event (chain_id, block_number);

-- The instances that have signers of a chain in their configuration. They share the leases of these evenly, so each must know
-- how many there are.
create table sending_instance (
  chain_id bigint not null,
  id uuid not null,
  -- Until when it counts as alive.
  alive_until timestamptz not null,
  primary key (chain_id, id)
);

create table orchestrator_contract (
  chain_id bigint not null,
  orchestrator text not null,
  created_at timestamptz not null default now(),
  primary key (chain_id, orchestrator)
);
comment on table orchestrator_contract is
  'Orchestrators by chain, present and past: an intent under way is executed by the one that it was signed for.';

create table left_out_block (
  chain_id bigint not null references indexed_chain (chain_id) on delete cascade,
  number bigint not null,
  hash text not null,
  -- traces, logs, receipts
  parts text[] not null,
  tries integer not null default 0,
  retry_at timestamptz not null default now(),
  noted_at timestamptz not null default now(),
  primary key (chain_id, number)
);
comment on table left_out_block is 'Indexed blocks of which no node showed every part. They are read again until a node does, for a week.';
create index left_out_block_due on left_out_block (chain_id, retry_at);

create type gas_use as (share text, account_id uuid, network text, contracts text[], gas bigint, is_lost boolean);
