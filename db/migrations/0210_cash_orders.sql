-- Cash-outs: what a quote deposited with an escrow to be sold for money, and what came of it. A row is written with the
-- quote's intents. What the chain says of it follows from indexed events alone, and is computed again when these change.

create table cash_order (
  quote_id uuid primary key references quote (id) on delete cascade,
  account_id uuid not null references account (id) on delete cascade,
  provider text not null default 'peer' check (provider in ('peer')),

  -- What left the account; the zero address is the coin. Amounts are smallest units everywhere.
  source_chain_id bigint not null,
  source_token text not null,
  source_amount numeric(78, 0) not null check (source_amount > 0),
  -- Its funding address had got what it has out of a pool last.
  from_incognito boolean not null,

  -- The deposit as it was signed.
  chain_id bigint not null,
  escrow text not null,
  orchestrator text not null,
  depositor text not null,
  token text not null,
  amount numeric(78, 0) not null check (amount > 0),
  payment_method text not null,
  currency text not null,
  payee_details text not null,
  -- What a whole token costs, times 1e18: at least, and when it was quoted.
  minimum_rate numeric(78, 0) not null check (minimum_rate > 0),
  quoted_rate numeric(78, 0) not null check (quoted_rate > 0),
  -- Hash over all members that the deposit's events tell.
  deposit_key text not null,

  phase text not null default 'depositing' check (phase in
    ('depositing', 'bridging', 'listed', 'matched', 'partially_filled', 'completed', 'returned', 'failed')),
  failure_kind text check (failure_kind in ('deposit_failed', 'bridge_refunded', 'bridge_fallback')),
  -- The number that the escrow gave it, and its transaction.
  deposit_id numeric(78, 0),
  deposit_tx text,
  -- With what was added since.
  deposited numeric(78, 0) not null default 0,
  filled numeric(78, 0) not null default 0,
  -- Of what was filled: what the seller released by hand, without a proof of payment.
  released numeric(78, 0) not null default 0,
  withdrawn numeric(78, 0) not null default 0,
  dust numeric(78, 0) not null default 0,
  -- What buyers hold who can still pay.
  outstanding numeric(78, 0) not null default 0,
  -- What buyers pay for filled and held, as agreed with each, and for the rest at the quoted rate; the token's decimals.
  fiat_amount numeric(78, 0) not null default 0 check (fiat_amount >= 0),
  buyer_payment_due_at timestamptz,
  recoverable_at timestamptz,

  -- From this block on, the phase changes though no event comes: it makes one final.
  block_due bigint,
  -- From this time of the chain on, a buyer's hold has expired; seconds since 1970.
  time_due bigint,

  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Since when the phase has been one that nothing but a reorg changes.
  ended_at timestamptz,
  check ((ended_at is not null) = (phase in ('completed', 'returned', 'failed'))),
  check ((failure_kind is not null) = (phase = 'failed')),
  check ((deposit_id is null) = (deposit_tx is null)),
  check ((deposit_id is null) = (phase in ('depositing', 'bridging', 'failed'))),
  -- The books: nothing is told of more than was deposited.
  check (released <= filled and filled + withdrawn + dust + outstanding <= deposited)
);
create index cash_order_account on cash_order (account_id, created_at desc);
create index cash_order_depositor on cash_order (depositor);
create index cash_order_open on cash_order (created_at) where ended_at is null;
create index cash_order_block_due on cash_order (chain_id, block_due) where block_due is not null;
create index cash_order_time_due on cash_order (chain_id, time_due) where time_due is not null;
create index cash_order_ended on cash_order (ended_at) where ended_at is not null;

-- By which contracts orders of a chain are followed, as configured last.
create table cash_contract (
  chain_id bigint not null,
  escrow text not null,
  orchestrator text not null,
  updated_at timestamptz not null default now(),
  primary key (chain_id, escrow)
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
  deposit_id numeric(78, 0) not null,
  -- received: hash over all members.
  deposit_key text,
  -- transferred: what left the escrow. Null for closed, accepting, extended, pruned.
  amount numeric(78, 0),
  -- Of buyers: locked, extended, unlocked, transferred, signaled, pruned, fulfilled.
  intent_hash text,
  -- locked, extended: until when the buyer can pay; seconds since 1970.
  expires_at bigint,
  -- signaled: what a whole token costs, times 1e18.
  rate numeric(78, 0),
  -- transferred: what the buyer held. What did not leave is free again.
  held numeric(78, 0),
  -- fulfilled: the seller released it without a proof. accepting: buyers may come.
  flag boolean,
  primary key (chain_id, block_hash, log_index)
);
create index cash_event_address on cash_event (address, chain_id);
create index cash_event_tx on cash_event (chain_id, tx_hash);
create index cash_event_deposit on cash_event (chain_id, escrow, deposit_id);
create index cash_event_intent on cash_event (chain_id, intent_hash) where kind = 'locked';
create index cash_event_block on cash_event (chain_id, block_number);
comment on table cash_event is 'Events of cash-outs'' escrows and orchestrators about deposits of watched addresses.';
