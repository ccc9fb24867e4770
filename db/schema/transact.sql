-- What live quotes have promised of an address's funds. The check makes a double promise impossible: whoever locks
-- adds to `amount` and writes what the address has into `ceiling`, in one statement.
create table locked_funds (
  chain_id bigint not null,
  address text not null references stealth_address (address) on delete cascade,
  -- The zero address for the native coin.
  token text not null,
  -- Smallest unit.
  amount numeric not null check (amount >= 0),
  ceiling numeric not null,
  owner_account_id uuid,
  primary key (address, chain_id, token),
  constraint locked_funds_within_holding check (amount <= ceiling)
) with (
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000
);
create index locked_funds_of_owner on locked_funds (owner_account_id) where amount > 0;

-- The kinds of quotes. A new kind adds its name by a migration.
create table quote_kind (
  name text primary key
);

-- Sending: quotes, what they reserve, their signed intents, and the transactions that carry these.
create table quote (
  id uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  kind text not null,
  -- locked: funds are reserved, the client signs. submitted: signed, on its way. The rest are ends; replaced: a refresh
  -- took its place and its reservations.
  status text not null default 'locked'
    check (status in ('locked', 'submitted', 'confirmed', 'failed', 'unlocked', 'expired', 'replaced')),
  chain_id bigint not null,
  -- The zero address is the native coin.
  token text not null,
  -- What the recipient gets, smallest unit.
  amount numeric not null,
  recipient text,
  -- What is signed as it was given to the client, without a signature: submit takes every unsigned field from here.
  terms jsonb not null,
  -- Our fees, in the sent token, smallest unit; the service fee is part of what intents pay, the rest covers gas.
  network_fee numeric not null check (network_fee >= 0),
  service_fee numeric not null check (service_fee >= 0),
  fee_waived boolean not null,
  -- Wei that sending cost when the fee was reckoned.
  gas_cost numeric not null check (gas_cost >= 0),
  -- The end of the review session: refreshing does not move it.
  expires_at timestamptz not null,
  -- The quote whose place this one took.
  replaces uuid unique references quote (id) on delete set null,
  -- Why it failed, for people and programs.
  failure_code text,
  failure text,
  submitted_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null default now(),
  -- What a quote was asked for, as far as its terms do not say: a refresh reckons it again.
  asked jsonb not null default '{}',
  -- What a quote's service fee was worth when it was signed, in millionths of a dollar, for the referrer's share; null for a
  -- token without a price.
  service_fee_usd_micros numeric,
  -- Of the spent token; null for quotes that ended without being submitted.
  token_decimals smallint check (token_decimals between 0 and 255),
  -- Rate of the service fee in basis points, as the quote shows it.
  fee_bps double precision check (fee_bps >= 0),
  -- Whom the last call of each intent pays the fees.
  fee_receiver text,
  -- What the recipient gets, where that is not `amount` of `token`: the quote exchanges one for the other.
  output_token text,
  output_amount numeric check (output_amount > 0),
  -- The least that the recipient of an exchange gets: it stands in the signed calls.
  output_minimum numeric check (output_minimum > 0),
  -- What comes out of a quote may change until it is mined, so that it may fail by no fault of the account. The least that comes
  -- out does not tell: it is what was expected where no slippage is accepted, or where a bridge carries a minimum.
  is_volatile boolean not null default false,
  -- Whether a quote's fee is taken in a token that the operator lists. The books count no other: its issuer can take a fee back.
  fee_listed boolean not null default true,
  check ((ended_at is null) = (status in ('locked', 'submitted'))),
  check ((failure is not null) = (status = 'failed')),
  constraint quote_of_account unique (id, account_id),
  constraint quote_pays_somebody
    check (recipient is not null or status in ('unlocked', 'expired', 'replaced')),
  constraint quote_output_whole check ((output_token is null) = (output_amount is null)),
  constraint quote_of_kind foreign key (kind) references quote_kind (name),
  constraint quote_minimum_whole check ((output_minimum is null) = (output_amount is null)),
  constraint quote_minimum_within check (output_minimum <= output_amount),
  constraint quote_amount_check check (amount > 0 or (amount = 0 and kind = 'dapp_call'))
) with (
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000
);
create index quote_account on quote (account_id, created_at desc);
create index quote_expiry on quote (expires_at) where status = 'locked';
create index quote_under_way on quote (account_id) where status in ('locked', 'submitted');
-- The pending view: under way, or ended a moment ago.
create index quote_ended on quote (account_id, ended_at) where submitted_at is not null;
-- An address that was made for what one quote gives is that of no other. Quotes that ended without being submitted have
-- forgotten theirs, and leave it to the next.
create unique index quote_fresh_output on quote (recipient) where asked -> 'details' ->> 'isOutputFresh' = 'true';
create index quote_settled on quote (ended_at) where status in ('confirmed', 'failed');
create index quote_lapsed on quote (ended_at) where status in ('unlocked', 'expired', 'replaced');
-- The oldest of an account's quotes that ended without being submitted: it keeps a bounded number of them.
create index quote_lapsed_of_account on quote (account_id, ended_at) where status in ('unlocked', 'expired', 'replaced');

-- What a quote has locked of an address's funds. A live row stands for its amount in locked_funds, whose check makes a
-- double promise impossible; whoever sets released_at takes the amount out of there in the same transaction.
create table reservation (
  quote_id uuid not null references quote (id) on delete cascade,
  chain_id bigint not null,
  address text not null,
  token text not null,
  amount numeric not null check (amount > 0),
  -- Spent in this block: the lock ends when the chain is indexed up to it, for until then the holding counts it still.
  spent_in_block bigint,
  released_at timestamptz,
  -- Of what a quote takes from an address, the part that pays us. The rest is what the quote is for.
  network_fee numeric not null default 0 check (network_fee >= 0),
  service_fee numeric not null default 0 check (service_fee >= 0),
  -- What an app's calls move beyond what their quote pays is locked with it: other tokens in rows of their own, more of the quote's
  -- token in its row. It is no part of any payment.
  moved numeric not null default 0 check (moved >= 0 and moved <= amount),
  primary key (quote_id, chain_id, address, token),
  constraint reservation_pays_fees check (network_fee + service_fee <= amount)
) with (
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000
);
create index reservation_live on reservation (chain_id, address, token) where released_at is null;

-- One transaction may carry intents of several accounts, and more than one of an account only within one quote.
create table intent_batch (
  id uuid primary key,
  chain_id bigint not null,
  outbound_id uuid not null,
  created_at timestamptz not null default now()
);
create index intent_batch_outbound on intent_batch (outbound_id);

-- Whose addresses a batch shows: those who send in it, and those of ours who are paid in it. One row for each account, for
-- two quotes of one account in one transaction would join its addresses in public. An intent enters a batch only through
-- the row of its quote, so nothing but the quote itself can spend from, or pay to, two addresses of one account.
create table intent_batch_share (
  batch_id uuid not null references intent_batch (id) on delete cascade,
  account_id uuid not null references account (id) on delete cascade,
  quote_id uuid not null references quote (id) on delete cascade,
  primary key (batch_id, account_id),
  unique (batch_id, account_id, quote_id)
);
create index intent_batch_share_quote on intent_batch_share (quote_id);
create index intent_batch_share_account on intent_batch_share (account_id);

create table intent (
  id uuid primary key,
  quote_id uuid not null references quote (id) on delete cascade,
  -- Place in the quote.
  place integer not null,
  chain_id bigint not null,
  eoa text not null,
  intent_nonce numeric not null,
  -- abi.encode(Intent), signed; null once it ended and its retention is over.
  encoded bytea,
  combined_gas bigint not null,
  transaction_gas bigint not null,
  -- The EIP-7702 delegation that goes with it: {contractAddress, authorizationNonce, signature}.
  delegation jsonb,
  -- queued: waits for a batch. batched: in the outbox.
  status text not null default 'queued' check (status in ('queued', 'batched', 'succeeded', 'failed')),
  batch_id uuid references intent_batch (id),
  -- How often a batch left it untouched.
  attempts integer not null default 0,
  tx_hash text,
  error text,
  queued_at timestamptz not null default now(),
  ended_at timestamptz,
  account_id uuid not null,
  -- By its own expiry: until then anybody who has seen it may execute it.
  expires_at timestamptz not null,
  -- The chain's head when it was submitted: nobody can have executed it before.
  from_block bigint not null,
  -- Not put into a batch before.
  not_before timestamptz not null default now(),
  -- A transaction with it may have reached a node, so that others may have seen it.
  exposed boolean not null default false,
  -- Goes into a transaction without any other intent of its account.
  alone boolean not null default false,
  -- Contracts of strangers that the intent runs; an intent with a list goes alone, and once. Null: it may share a transaction.
  contracts text[],
  -- Since when sending it costs more than its fee covers; null while it does not.
  uncovered_since timestamptz,
  -- A keyed name of the network that submitted it, for the budget of unpaid gas; kept until the intent is forgotten.
  network text,
  unique (quote_id, place),
  check ((status = 'batched') <= (batch_id is not null)),
  check ((ended_at is null) = (status in ('queued', 'batched'))),
  constraint intent_of_quote foreign key (quote_id, account_id) references quote (id, account_id)
    on delete cascade,
  constraint intent_in_batch foreign key (batch_id, account_id, quote_id)
    references intent_batch_share (batch_id, account_id, quote_id)
) with (
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000
);
-- An intent runs once, whatever the number of quotes and submissions.
create unique index intent_once on intent (chain_id, eoa, intent_nonce);
create index intent_queue on intent (chain_id, queued_at) where status = 'queued';
create index intent_of_batch on intent (batch_id) where batch_id is not null;
create index intent_forget on intent (ended_at) where ended_at is not null and encoded is not null;
-- Intents whose time is over while they are in the outbox.
create index intent_overdue on intent (chain_id, expires_at) where status = 'batched';
-- Intents whose gas we paid and that paid nothing, by account.
create index intent_unpaid on intent (account_id, ended_at) where status = 'failed' and tx_hash is not null;
-- Two addresses of one account cannot enter a pool in one transaction.
create unique index intent_alone on intent (batch_id, account_id) where alone and batch_id is not null;

-- An intent is executed once, and so its fees are booked once.
create table send_income (
  -- Names nothing any more once the intent is erased.
  intent_id uuid primary key,
  chain_id bigint not null,
  -- The zero address is the native coin.
  token text not null,
  network_fee numeric not null check (network_fee >= 0),
  service_fee numeric not null check (service_fee >= 0),
  booked_at timestamptz not null default now()
) with (
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 50000
);
create index send_income_token on send_income (chain_id, token);
create index send_income_booked on send_income (booked_at);

-- What a batch's transaction cost, shared by its quotes: the shares of a batch add up to its receipt's fee, to the wei.
create table send_gas (
  batch_id uuid not null references intent_batch (id),
  -- Place of the quote among those of the batch; a batch is booked once.
  place integer not null check (place >= 0),
  chain_id bigint not null,
  -- What the quote sent.
  token text not null,
  -- Wei.
  gas_spent numeric not null check (gas_spent >= 0),
  -- Whether an intent of the quote was executed in this transaction.
  executed boolean not null,
  booked_at timestamptz not null default now(),
  primary key (batch_id, place)
) with (
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 50000
);
create index send_gas_token on send_gas (chain_id, token);
create index send_gas_booked on send_gas (booked_at);

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
  input_amount numeric not null check (input_amount > 0),
  bridged_amount numeric not null check (bridged_amount > 0),
  quote_timestamp bigint not null,
  fill_deadline bigint not null,
  exclusivity_deadline bigint not null,
  -- Calls that the recipient makes with what is paid; 0x for none.
  message text not null,
  -- What the account gave and wants; the zero address is the coin.
  source_token text not null,
  source_amount numeric not null check (source_amount > 0),
  output_recipient text not null,
  output_token text not null,
  expected_output numeric not null check (expected_output > 0),
  minimum_output numeric not null check (minimum_output > 0 and minimum_output <= expected_output),
  -- As quoted; null where the bridge does not tell.
  estimated_fill_ms integer check (estimated_fill_ms >= 0),
  status text not null default 'pending'
    check (status in ('pending', 'confirmed_source', 'completed', 'expired', 'refunded', 'failed')),
  deposit_tx text,
  fill_tx text,
  refund_tx text,
  -- What arrived, or was paid back.
  arrived_token text,
  arrived_amount numeric check (arrived_amount >= 0),
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
) with (
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000
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
-- Fills of the last hour are read for the metrics, whatever their route.
create index bridge_order_recent_fill on bridge_order (fill_seen_at) where fill_seen_at is not null;
-- Orders that ended a moment ago.
create index bridge_order_ended on bridge_order (ended_at) where ended_at is not null;

create table pool_conversion (
  quote_id uuid not null,
  -- Of the intent in its quote.
  place integer not null check (place >= 0),
  account_id uuid not null,
  chain_id bigint not null,
  pool text not null,
  -- Deposits.
  address text not null,
  -- By which the client derives the note's secrets.
  deposit_index bigint not null check (deposit_index >= 0),
  precommitment numeric not null check (precommitment > 0),
  -- What the Entrypoint takes, and what the note is worth: less by the vetting fee.
  gross numeric not null,
  net numeric not null check (net > 0 and net <= gross),
  vetting_fee numeric not null check (vetting_fee = gross - net),
  -- What the service takes.
  deposit_fee numeric not null check (deposit_fee >= 0),
  -- Since when its intent can be mined no more. Null while it can, and once it made its deposit.
  ended_at timestamptz,
  primary key (quote_id, place),
  foreign key (quote_id, account_id) references quote (id, account_id) on delete cascade
);
create unique index pool_conversion_index on pool_conversion (account_id, chain_id, pool, deposit_index)
  where ended_at is null;
create unique index pool_conversion_precommitment on pool_conversion (account_id, chain_id, precommitment)
  where ended_at is null;
create index pool_conversion_address on pool_conversion (address);
create index pool_conversion_account on pool_conversion (account_id, chain_id, pool);

create table pool_recovery (
  quote_id uuid primary key,
  account_id uuid not null,
  chain_id bigint not null,
  pool text not null,
  -- Of the deposit: whatever is left of it leaves the pool at once.
  label numeric not null,
  -- Since when its intent can be mined no more. Null while it can, and once it took the deposit back.
  ended_at timestamptz,
  foreign key (quote_id, account_id) references quote (id, account_id) on delete cascade
);
-- No deposit is taken back twice.
create unique index pool_recovery_label on pool_recovery (chain_id, pool, label) where ended_at is null;
create index pool_recovery_account on pool_recovery (account_id);

-- Which collectible a quote sends away, at our cost.
create table collectible_withdrawal (
  quote_id uuid,
  account_id uuid not null,
  chain_id bigint not null,
  contract text not null,
  token_id numeric not null check (token_id >= 0),
  -- When the quote ended, whichever way.
  ended_at timestamptz,
  foreign key (quote_id, account_id) references quote (id, account_id) on delete cascade,
  primary key (quote_id, contract, token_id)
);
create unique index collectible_withdrawal_live on collectible_withdrawal (account_id, chain_id, contract, token_id)
  where ended_at is null;
create index collectible_withdrawal_token on collectible_withdrawal (chain_id, contract, token_id);

-- What an app asked for, for the account's activity.
create table dapp_call (
  quote_id uuid primary key,
  account_id uuid not null,
  origin text not null,
  description text,
  -- A list of {to, value, data}, the value in decimal digits.
  calls jsonb not null,
  foreign key (quote_id, account_id) references quote (id, account_id) on delete cascade
);

-- Cash-outs: what a quote deposited with an escrow to be sold for money, and what came of it. A row is written with the
-- quote's intents. What the chain says of it follows from indexed events alone, and is computed again when these change.
create table cash_order (
  quote_id uuid primary key references quote (id) on delete cascade,
  account_id uuid not null references account (id) on delete cascade,
  provider text not null default 'peer' check (provider in ('peer')),
  -- What left the account; the zero address is the coin. Amounts are smallest units everywhere.
  source_chain_id bigint not null,
  source_token text not null,
  source_amount numeric not null check (source_amount > 0),
  -- Its funding address had got what it has out of a pool last.
  from_incognito boolean not null,
  -- The deposit as it was signed.
  chain_id bigint not null,
  escrow text not null,
  orchestrator text not null,
  depositor text not null,
  token text not null,
  amount numeric not null check (amount > 0),
  payment_method text not null,
  currency text not null,
  payee_details text not null,
  -- What a whole token costs, times 1e18: at least, and when it was quoted.
  minimum_rate numeric not null check (minimum_rate > 0),
  quoted_rate numeric not null check (quoted_rate > 0),
  -- Hash over all members that the deposit's events tell.
  deposit_key text not null,
  phase text not null default 'depositing' check (phase in
    ('depositing', 'bridging', 'listed', 'matched', 'partially_filled', 'completed', 'returned', 'failed')),
  failure_kind text check (failure_kind in ('deposit_failed', 'bridge_refunded', 'bridge_fallback')),
  -- The number that the escrow gave it, and its transaction.
  deposit_id numeric,
  deposit_tx text,
  -- With what was added since.
  deposited numeric not null default 0,
  filled numeric not null default 0,
  -- Of what was filled: what the seller released by hand, without a proof of payment.
  released numeric not null default 0,
  withdrawn numeric not null default 0,
  dust numeric not null default 0,
  -- What buyers hold who can still pay.
  outstanding numeric not null default 0,
  -- What buyers pay for filled and held, as agreed with each, and for the rest at the quoted rate; the token's decimals.
  fiat_amount numeric not null default 0 check (fiat_amount >= 0),
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
  -- Whether buyers can take of a deposit: a seller, or a withdrawal that leaves too little, ends that without closing it.
  accepts_buyers boolean not null default false,
  check ((ended_at is not null) = (phase in ('completed', 'returned', 'failed'))),
  check ((failure_kind is not null) = (phase = 'failed')),
  check ((deposit_id is null) = (deposit_tx is null)),
  check ((deposit_id is null) = (phase in ('depositing', 'bridging', 'failed'))),
  -- The books: nothing is told of more than was deposited.
  check (released <= filled and filled + withdrawn + dust + outstanding <= deposited)
);
comment on column cash_order.accepts_buyers is
  'The escrow has the deposit and takes buyers for it.';
create index cash_order_account on cash_order (account_id, created_at desc);
create index cash_order_depositor on cash_order (depositor);
create index cash_order_open on cash_order (created_at) where ended_at is null;
create index cash_order_block_due on cash_order (chain_id, block_due) where block_due is not null;
create index cash_order_time_due on cash_order (chain_id, time_due) where time_due is not null;
create index cash_order_ended on cash_order (ended_at) where ended_at is not null;

create table cash_payee (
  quote_id uuid primary key,
  account_id uuid not null,
  sealed bytea not null,
  master_key_id text not null,
  -- What a quote told of earlier cash-outs to its payee: one that was made since links the addresses of both in public.
  told_cash_outs int not null default 0,
  foreign key (quote_id, account_id) references quote (id, account_id) on delete cascade
);
comment on table cash_payee is
  'Handles of who is paid by a cash-out: personal data, kept sealed until its quote ends without a deposit, or its order ends.';
comment on column cash_payee.told_cash_outs is
  'Cash-outs of the account to the same payee of which the quote told.';
create index cash_payee_account on cash_payee (account_id);

create table cash_withdrawal (
  quote_id uuid primary key,
  account_id uuid not null,
  chain_id bigint not null,
  escrow text not null,
  deposit_id numeric not null,
  -- Since when its intent can be mined no more.
  ended_at timestamptz,
  foreign key (quote_id, account_id) references quote (id, account_id) on delete cascade
);
comment on table cash_withdrawal is
  'Which deposit in an escrow a quote takes back. One at a time: of two, the second would fail at our cost.';
create unique index cash_withdrawal_deposit on cash_withdrawal (chain_id, escrow, deposit_id) where ended_at is null;
create index cash_withdrawal_account on cash_withdrawal (account_id);

-- A referrer's share that could not be booked when its quote ended. The quote has ended all the same and its funds are free;
-- the booking alone is tried again, later each time.
create table unbooked_earning (
  quote_id uuid primary key references quote (id) on delete cascade,
  -- What the quote's executed intents paid, smallest unit of its token, and its worth in millionths of a dollar.
  service_fee numeric not null check (service_fee > 0),
  service_fee_usd_micros numeric check (service_fee_usd_micros >= 0),
  attempts integer not null default 1 check (attempts > 0),
  -- Name and SQLSTATE of the newest error. The message is left out: the values in it could name addresses.
  reason text not null,
  next_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index unbooked_earning_due on unbooked_earning (next_at);

insert into quote_kind (name) values
  ('send'), ('swap'), ('pool_deposit'), ('pool_recover'), ('nft_withdraw'), ('dapp_call'), ('offramp'), ('offramp_withdraw');
