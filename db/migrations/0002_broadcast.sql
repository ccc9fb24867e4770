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
  value numeric(78, 0) not null check (value >= 0),
  gas_limit bigint not null check (gas_limit > 0),
  -- signed: an attempt is on disk, no node is known to have it. sent: a node took one.
  status text not null default 'queued'
    check (status in ('queued', 'signed', 'sent', 'confirmed', 'reverted', 'abandoned')),
  signer text,
  tx_nonce bigint,
  -- Wei that the newest attempt may cost at most.
  reserved numeric(78, 0) not null default 0,
  -- How often nodes refused it for reasons that we do not know.
  refusals integer not null default 0,
  -- Where a receipt was last seen; a reorg clears it until the row is settled.
  mined_hash text,
  mined_block_number bigint,
  mined_block_hash text,
  -- Wei, from the receipt.
  fee numeric(78, 0),
  gas_used bigint,
  -- Why it was abandoned.
  reason text,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  unique (kind, reference),
  check ((signer is null) = (tx_nonce is null)),
  check (status not in ('signed', 'sent', 'confirmed', 'reverted') or signer is not null),
  check (status <> 'queued' or signer is null),
  check ((status in ('confirmed', 'reverted', 'abandoned')) = (settled_at is not null))
);

-- Only while unfinished: a chain that lost blocks hands the same nonces out again.
create unique index outbound_tx_nonce on outbound_tx (chain_id, signer, tx_nonce) where status in ('signed', 'sent');
create index outbound_tx_queue on outbound_tx (chain_id, position) where status = 'queued';
create index outbound_tx_settled_nonce on outbound_tx (chain_id, signer, tx_nonce)
  where status in ('confirmed', 'reverted');
create index outbound_tx_forget on outbound_tx (settled_at) where settled_at is not null and data is not null;

create table outbound_attempt (
  hash text primary key,
  outbound_id uuid not null references outbound_tx (id),
  -- The signed transaction; null once its row is settled and its retention is over.
  raw bytea,
  max_fee_per_gas numeric(78, 0) not null,
  max_priority_fee_per_gas numeric(78, 0) not null,
  -- unknown: it may or may not have reached a node. refused: no node has it.
  delivery text not null default 'unknown' check (delivery in ('unknown', 'accepted', 'refused')),
  refusal text,
  created_at timestamptz not null default clock_timestamp()
);

create index outbound_attempt_outbound on outbound_attempt (outbound_id, created_at);
