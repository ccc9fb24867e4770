-- Orders over a bridge: what a quote deposited on one chain, and what came of it on both. A row is written with the quote's
-- intents. What the chains say of it follows from their indexed events alone, and is computed again when these change.

create table bridge_order (
  quote_id uuid primary key references quote (id) on delete cascade,
  account_id uuid not null references account (id) on delete cascade,
  provider text not null check (provider in ('across')),

  -- The deposit as it was signed; addresses checksummed, amounts smallest units, times in seconds since 1970.
  origin_chain_id bigint not null,
  destination_chain_id bigint not null check (destination_chain_id <> origin_chain_id),
  -- Pays, and gets a refund.
  depositor text not null,
  -- Whom the bridge pays: an address of the account, or the contract that runs the message.
  deposit_recipient text not null,
  exclusive_relayer text not null,
  input_token text not null,
  -- What the bridge pays; what the account wants may be another token, which the message exchanges it for.
  bridged_token text not null,
  input_amount numeric(78, 0) not null check (input_amount > 0),
  bridged_amount numeric(78, 0) not null check (bridged_amount > 0),
  quote_timestamp bigint not null,
  fill_deadline bigint not null,
  exclusivity_deadline bigint not null,
  -- Calls that the recipient makes with what is paid; 0x for none.
  message text not null,

  -- What the account gave and wants; the zero address is the coin.
  source_token text not null,
  source_amount numeric(78, 0) not null check (source_amount > 0),
  output_recipient text not null,
  output_token text not null,
  expected_output numeric(78, 0) not null check (expected_output > 0),
  minimum_output numeric(78, 0) not null check (minimum_output > 0 and minimum_output <= expected_output),
  -- As quoted; null where the bridge does not tell.
  estimated_fill_ms integer check (estimated_fill_ms >= 0),

  status text not null default 'pending'
    check (status in ('pending', 'confirmed_source', 'completed', 'expired', 'refunded', 'failed')),
  deposit_tx text,
  fill_tx text,
  refund_tx text,
  -- What arrived, or was paid back.
  arrived_token text,
  arrived_amount numeric(78, 0) check (arrived_amount >= 0),

  -- From these blocks on, the status changes though no event comes: they make one final.
  origin_due bigint,
  destination_due bigint,

  created_at timestamptz not null default now(),
  -- By the service's own clock: those of two chains cannot be compared.
  deposit_seen_at timestamptz,
  fill_seen_at timestamptz,
  -- Since when the status has been one that nothing but a reorg changes.
  ended_at timestamptz,
  updated_at timestamptz not null default now(),
  check ((arrived_token is null) = (arrived_amount is null)),
  check ((ended_at is not null) = (status in ('completed', 'refunded', 'failed'))),
  check ((status = 'refunded') <= (refund_tx is not null)),
  check ((status = 'completed') <= (fill_tx is not null))
);
create index bridge_order_account on bridge_order (account_id, created_at desc);
create index bridge_order_depositor on bridge_order (depositor);
create index bridge_order_recipient on bridge_order (output_recipient);
create index bridge_order_open on bridge_order (created_at) where ended_at is null;
create index bridge_order_origin_due on bridge_order (origin_chain_id, origin_due) where origin_due is not null;
create index bridge_order_destination_due on bridge_order (destination_chain_id, destination_due)
  where destination_due is not null;
create index bridge_order_deadline on bridge_order (destination_chain_id, fill_deadline)
  where status = 'confirmed_source';
create index bridge_order_filled on bridge_order (origin_chain_id, destination_chain_id, input_token, fill_seen_at desc)
  where fill_seen_at is not null;
create index bridge_order_fill_tx on bridge_order (destination_chain_id, fill_tx) where fill_tx is not null;
create index bridge_order_refund_tx on bridge_order (origin_chain_id, refund_tx) where refund_tx is not null;
