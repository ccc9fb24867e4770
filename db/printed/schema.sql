-- Printed from a migrated database by npm run print:database; the sources are schema/, migrations/ and functions/.
create table account (
  id uuid not null,
  auth_address text not null,
  sealed_keys bytea not null,
  master_key_id text not null,
  next_derivation_nonce bigint not null default 0,
  disabled_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  onboarding_experiment_id uuid,
  onboarding_experiment_key text,
  onboarding_variant_key text,
  address_count bigint not null default 0,
  encrypted_custom_ens_name text,
  addresses_before bigint not null default 0,
  constraint account_pkey PRIMARY KEY (id),
  constraint account_address_count_check CHECK ((address_count >= 0)),
  constraint account_auth_address_key UNIQUE (auth_address),
  constraint account_encrypted_custom_ens_name_check CHECK (((length(encrypted_custom_ens_name) >= 1) AND (length(encrypted_custom_ens_name) <= 2048))),
  constraint account_next_derivation_nonce_check CHECK ((next_derivation_nonce >= 0))
);

create table account_change (
  account_id uuid not null,
  xact xid8 not null default pg_current_xact_id(),
  constraint account_change_pkey PRIMARY KEY (account_id, xact)
);

create table account_change_total (
  account_id uuid not null,
  changes bigint not null,
  constraint account_change_total_pkey PRIMARY KEY (account_id)
);

create table account_deposit (
  chain_id bigint not null,
  block_hash text not null,
  log_index integer not null,
  account_id uuid not null,
  address text not null,
  pool text not null,
  label numeric,
  value numeric not null,
  standing text not null,
  constraint account_deposit_pkey PRIMARY KEY (chain_id, block_hash, log_index),
  constraint account_deposit_address_fkey FOREIGN KEY (address) REFERENCES stealth_address(address) ON DELETE CASCADE,
  constraint account_deposit_standing_check CHECK ((standing = ANY (ARRAY['pending'::text, 'approved'::text, 'declined'::text, 'recovered'::text])))
);
CREATE INDEX account_deposit_account ON account_deposit USING btree (account_id, chain_id, pool);
CREATE INDEX account_deposit_address ON account_deposit USING btree (address);
CREATE INDEX account_deposit_label ON account_deposit USING btree (label, chain_id);
CREATE TRIGGER account_deposit_added AFTER INSERT ON account_deposit REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION sum_account_deposits();
CREATE TRIGGER account_deposit_logs_delete AFTER DELETE ON account_deposit REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_deposit_standings();
CREATE TRIGGER account_deposit_logs_insert AFTER INSERT ON account_deposit REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_deposit_standings();
CREATE TRIGGER account_deposit_logs_update AFTER UPDATE ON account_deposit REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_deposit_standings();
CREATE TRIGGER account_deposit_moved AFTER UPDATE ON account_deposit REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION sum_account_deposits();
CREATE TRIGGER account_deposit_removed AFTER DELETE ON account_deposit REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION sum_account_deposits();

create table account_deposit_sum (
  account_id uuid not null,
  chain_id bigint not null,
  pool text not null,
  standing text not null,
  amount numeric not null,
  deposits bigint not null,
  constraint account_deposit_sum_pkey PRIMARY KEY (account_id, chain_id, pool, standing),
  constraint account_deposit_sum_amount_check CHECK ((amount >= (0)::numeric)),
  constraint account_deposit_sum_deposits_check CHECK ((deposits >= 0))
);

create table account_event (
  account_id uuid not null,
  xact xid8 not null default pg_current_xact_id(),
  kind text not null,
  subject text not null,
  at timestamp with time zone not null default now(),
  constraint account_event_pkey PRIMARY KEY (account_id, xact, kind, subject),
  constraint account_event_kind_check CHECK ((kind = ANY (ARRAY['activity'::text, 'balance'::text, 'deposit'::text, 'quote'::text, 'relay'::text, 'resync'::text, 'review'::text])))
);
CREATE INDEX account_event_at ON account_event USING btree (account_id, at);

create table account_feature (
  account_id uuid not null,
  feature text not null,
  constraint account_feature_pkey PRIMARY KEY (account_id, feature),
  constraint account_feature_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);

create table account_holding (
  account_id uuid not null,
  chain_id bigint not null,
  token text not null,
  amount numeric not null,
  constraint account_holding_pkey PRIMARY KEY (account_id, chain_id, token),
  constraint account_holding_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint account_holding_amount_check CHECK ((amount >= (0)::numeric))
);
CREATE TRIGGER account_holding_logs_insert AFTER INSERT ON account_holding REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_new_amounts();
CREATE TRIGGER account_holding_logs_update AFTER UPDATE ON account_holding REFERENCING OLD TABLE AS removed NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_moved_amounts();

create table account_token (
  account_id uuid not null,
  chain_id bigint not null,
  address text not null,
  "position" bigint not null generated always as identity,
  added_at timestamp with time zone not null default now(),
  constraint account_token_pkey PRIMARY KEY (account_id, chain_id, address),
  constraint account_token_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);
CREATE TRIGGER account_token_tells_delete AFTER DELETE ON account_token REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_accounts();
CREATE TRIGGER account_token_tells_insert AFTER INSERT ON account_token REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_accounts();
CREATE TRIGGER account_token_tells_update AFTER UPDATE ON account_token REFERENCING OLD TABLE AS removed NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_accounts();

create table account_tx (
  account_id uuid not null,
  chain_id bigint not null,
  tx_hash text not null,
  block_number bigint not null,
  block_time timestamp with time zone not null,
  tx_index integer not null,
  constraint account_tx_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX account_tx_newest ON account_tx USING btree (account_id, block_time DESC, ((- chain_id)) DESC, block_number DESC, tx_index DESC, tx_hash);

create table activity_note (
  account_id uuid not null,
  reference_type text not null,
  quote_id uuid not null,
  ciphertext text not null,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint activity_note_pkey PRIMARY KEY (account_id, reference_type, quote_id),
  constraint activity_note_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint activity_note_ciphertext_check CHECK (((length(ciphertext) >= 1) AND (length(ciphertext) <= 8192)))
);
CREATE INDEX activity_note_page ON activity_note USING btree (account_id, created_at DESC, quote_id DESC, reference_type DESC);

create table address_book (
  account_id uuid not null,
  signed_floor timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint address_book_pkey PRIMARY KEY (account_id),
  constraint address_book_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);

create table address_tag (
  account_id uuid not null,
  address text not null,
  ciphertext text not null,
  updated_at timestamp with time zone not null default now(),
  label_key text,
  constraint address_tag_pkey PRIMARY KEY (account_id, address),
  constraint address_tag_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint address_tag_ciphertext_check CHECK (((length(ciphertext) >= 1) AND (length(ciphertext) <= 8192))),
  constraint address_tag_label_key_check CHECK (((length(label_key) >= 16) AND (length(label_key) <= 128)))
);
CREATE TRIGGER address_tag_tells_delete AFTER DELETE ON address_tag REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_accounts();
CREATE TRIGGER address_tag_tells_insert AFTER INSERT ON address_tag REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_accounts();
CREATE TRIGGER address_tag_tells_update AFTER UPDATE ON address_tag REFERENCING OLD TABLE AS removed NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_accounts();

create table address_tx (
  address text not null,
  chain_id bigint not null,
  tx_hash text not null,
  block_number bigint not null,
  block_time timestamp with time zone not null,
  tx_index integer not null,
  constraint address_tx_pkey PRIMARY KEY (address, chain_id, tx_hash)
);
CREATE INDEX address_tx_block ON address_tx USING btree (chain_id, block_number);
CREATE INDEX address_tx_newest ON address_tx USING btree (address, block_time DESC, chain_id, tx_index DESC);
CREATE TRIGGER address_tx_added AFTER INSERT ON address_tx FOR EACH ROW EXECUTE FUNCTION add_account_tx();
CREATE TRIGGER address_tx_logs_delete AFTER DELETE ON address_tx REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_touching_transactions();
CREATE TRIGGER address_tx_logs_insert AFTER INSERT ON address_tx REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_touching_transactions();
CREATE TRIGGER address_tx_removed AFTER DELETE ON address_tx FOR EACH ROW EXECUTE FUNCTION remove_account_tx();
CREATE TRIGGER address_tx_tells_delete AFTER DELETE ON address_tx REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_watched_addresses();
CREATE TRIGGER address_tx_tells_insert AFTER INSERT ON address_tx REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_watched_addresses();

create table api_key (
  id text not null,
  secret_hash bytea not null,
  account_id uuid not null,
  label text not null,
  scopes text[] not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  seal bytea,
  master_key_id text,
  constraint api_key_pkey PRIMARY KEY (id),
  constraint api_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint api_key_check CHECK (((seal IS NULL) = (master_key_id IS NULL))),
  constraint api_key_scopes_check CHECK (((cardinality(scopes) > 0) AND (scopes <@ ARRAY['read'::text, 'write'::text]))),
  constraint api_key_secret_hash_check CHECK ((length(secret_hash) = 32))
);
CREATE INDEX api_key_account ON api_key USING btree (account_id);

create table asp_review (
  chain_id bigint not null,
  pool text not null,
  label numeric not null,
  status text not null,
  reviewed_at timestamp with time zone not null default now(),
  constraint asp_review_pkey PRIMARY KEY (chain_id, pool, label),
  constraint asp_review_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'declined'::text])))
);
CREATE TRIGGER asp_review_added AFTER INSERT ON asp_review REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION follow_asp_reviews();
CREATE TRIGGER asp_review_moved AFTER UPDATE ON asp_review REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION follow_asp_reviews();
CREATE TRIGGER asp_review_removed AFTER DELETE ON asp_review REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION follow_asp_reviews();

create table asp_set (
  chain_id bigint not null,
  "position" bigint not null,
  label numeric not null,
  constraint asp_set_pkey PRIMARY KEY (chain_id, "position"),
  constraint asp_set_label_check CHECK ((label > (0)::numeric)),
  constraint asp_set_position_check CHECK (("position" >= 0))
);
CREATE UNIQUE INDEX asp_set_label ON asp_set USING btree (chain_id, label);
CREATE TRIGGER asp_set_added AFTER INSERT ON asp_set REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION follow_asp_set();
CREATE TRIGGER asp_set_removed AFTER DELETE ON asp_set REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION follow_asp_set();

create table asp_set_state (
  chain_id bigint not null,
  root numeric not null,
  size bigint not null,
  frontier numeric[] not null,
  lineage uuid not null,
  constraint asp_set_state_pkey PRIMARY KEY (chain_id),
  constraint asp_set_state_size_check CHECK ((size >= 0))
);

create table bridge_contract (
  chain_id bigint not null,
  spoke_pool text not null,
  multicall_handler text,
  updated_at timestamp with time zone not null default now()
);
CREATE UNIQUE INDEX bridge_contract_key ON bridge_contract USING btree (chain_id, spoke_pool, COALESCE(multicall_handler, ''::text));

create table bridge_event (
  chain_id bigint not null,
  block_hash text not null,
  log_index integer not null,
  item integer not null default 0,
  block_number bigint not null,
  block_time timestamp with time zone not null,
  tx_hash text not null,
  kind text not null,
  address text not null,
  token text,
  amount numeric,
  is_deferred boolean,
  relay_key text,
  deposit_id numeric,
  quote_timestamp bigint,
  fallback_recipient text,
  constraint bridge_event_pkey PRIMARY KEY (chain_id, block_hash, log_index, item),
  constraint bridge_event_kind_check CHECK ((kind = ANY (ARRAY['deposit'::text, 'fill'::text, 'refund'::text, 'refund-claim'::text])))
);
CREATE INDEX bridge_event_address ON bridge_event USING btree (address, chain_id);
CREATE INDEX bridge_event_block ON bridge_event USING btree (chain_id, block_number);
CREATE INDEX bridge_event_relay ON bridge_event USING btree (relay_key) WHERE (kind = 'fill'::text);
CREATE INDEX bridge_event_tx ON bridge_event USING btree (chain_id, tx_hash);

create table bridge_order (
  quote_id uuid not null,
  account_id uuid not null,
  provider text not null,
  origin_chain_id bigint not null,
  destination_chain_id bigint not null,
  depositor text not null,
  deposit_recipient text not null,
  exclusive_relayer text not null,
  input_token text not null,
  bridged_token text not null,
  input_amount numeric not null,
  bridged_amount numeric not null,
  quote_timestamp bigint not null,
  fill_deadline bigint not null,
  exclusivity_deadline bigint not null,
  message text not null,
  source_token text not null,
  source_amount numeric not null,
  output_recipient text not null,
  output_token text not null,
  expected_output numeric not null,
  minimum_output numeric not null,
  estimated_fill_ms integer,
  status text not null default 'pending'::text,
  deposit_tx text,
  fill_tx text,
  refund_tx text,
  arrived_token text,
  arrived_amount numeric,
  origin_due bigint,
  destination_due bigint,
  created_at timestamp with time zone not null default now(),
  deposit_seen_at timestamp with time zone,
  fill_seen_at timestamp with time zone,
  ended_at timestamp with time zone,
  updated_at timestamp with time zone not null default now(),
  constraint bridge_order_pkey PRIMARY KEY (quote_id),
  constraint bridge_order_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint bridge_order_arrived_amount_check CHECK ((arrived_amount >= (0)::numeric)),
  constraint bridge_order_bridged_amount_check CHECK ((bridged_amount > (0)::numeric)),
  constraint bridge_order_check CHECK ((destination_chain_id <> origin_chain_id)),
  constraint bridge_order_check1 CHECK (((minimum_output > (0)::numeric) AND (minimum_output <= expected_output))),
  constraint bridge_order_check2 CHECK (((arrived_token IS NULL) = (arrived_amount IS NULL))),
  constraint bridge_order_check3 CHECK (((ended_at IS NOT NULL) = (status = ANY (ARRAY['completed'::text, 'refunded'::text, 'failed'::text])))),
  constraint bridge_order_check4 CHECK (((status = 'refunded'::text) <= (refund_tx IS NOT NULL))),
  constraint bridge_order_check5 CHECK (((status = 'completed'::text) <= (fill_tx IS NOT NULL))),
  constraint bridge_order_estimated_fill_ms_check CHECK ((estimated_fill_ms >= 0)),
  constraint bridge_order_expected_output_check CHECK ((expected_output > (0)::numeric)),
  constraint bridge_order_input_amount_check CHECK ((input_amount > (0)::numeric)),
  constraint bridge_order_provider_check CHECK ((provider = 'across'::text)),
  constraint bridge_order_quote_id_fkey FOREIGN KEY (quote_id) REFERENCES quote(id) ON DELETE CASCADE,
  constraint bridge_order_source_amount_check CHECK ((source_amount > (0)::numeric)),
  constraint bridge_order_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'confirmed_source'::text, 'completed'::text, 'expired'::text, 'refunded'::text, 'failed'::text])))
);
CREATE INDEX bridge_order_account ON bridge_order USING btree (account_id, created_at DESC);
CREATE INDEX bridge_order_deadline ON bridge_order USING btree (destination_chain_id, fill_deadline) WHERE (status = 'confirmed_source'::text);
CREATE INDEX bridge_order_depositor ON bridge_order USING btree (depositor);
CREATE INDEX bridge_order_destination_due ON bridge_order USING btree (destination_chain_id, destination_due) WHERE (destination_due IS NOT NULL);
CREATE INDEX bridge_order_ended ON bridge_order USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX bridge_order_fill_tx ON bridge_order USING btree (destination_chain_id, fill_tx) WHERE (fill_tx IS NOT NULL);
CREATE INDEX bridge_order_filled ON bridge_order USING btree (origin_chain_id, destination_chain_id, input_token, fill_seen_at DESC) WHERE (fill_seen_at IS NOT NULL);
CREATE INDEX bridge_order_open ON bridge_order USING btree (created_at) WHERE (ended_at IS NULL);
CREATE INDEX bridge_order_origin_due ON bridge_order USING btree (origin_chain_id, origin_due) WHERE (origin_due IS NOT NULL);
CREATE INDEX bridge_order_recent_fill ON bridge_order USING btree (fill_seen_at) WHERE (fill_seen_at IS NOT NULL);
CREATE INDEX bridge_order_recipient ON bridge_order USING btree (output_recipient);
CREATE INDEX bridge_order_refund_tx ON bridge_order USING btree (origin_chain_id, refund_tx) WHERE (refund_tx IS NOT NULL);
CREATE TRIGGER bridge_order_logs_update AFTER UPDATE ON bridge_order REFERENCING OLD TABLE AS removed NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_moved_orders();
CREATE TRIGGER bridge_order_tells_delete AFTER DELETE ON bridge_order REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_accounts();
CREATE TRIGGER bridge_order_tells_insert AFTER INSERT ON bridge_order REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_accounts();
CREATE TRIGGER bridge_order_tells_update AFTER UPDATE ON bridge_order REFERENCING OLD TABLE AS removed NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_moved_orders();

create table cash_contract (
  chain_id bigint not null,
  escrow text not null,
  orchestrator text not null,
  updated_at timestamp with time zone not null default now(),
  constraint cash_contract_pkey PRIMARY KEY (chain_id, escrow, orchestrator)
);

create table cash_event (
  chain_id bigint not null,
  block_hash text not null,
  log_index integer not null,
  block_number bigint not null,
  block_time timestamp with time zone not null,
  tx_hash text not null,
  kind text not null,
  address text not null,
  escrow text not null,
  deposit_id numeric not null,
  deposit_key text,
  amount numeric,
  intent_hash text,
  expires_at bigint,
  rate numeric,
  held numeric,
  flag boolean,
  constraint cash_event_pkey PRIMARY KEY (chain_id, block_hash, log_index),
  constraint cash_event_kind_check CHECK ((kind = ANY (ARRAY['received'::text, 'added'::text, 'withdrawn'::text, 'closed'::text, 'accepting'::text, 'dust'::text, 'locked'::text, 'extended'::text, 'unlocked'::text, 'transferred'::text, 'signaled'::text, 'pruned'::text, 'fulfilled'::text])))
);
CREATE INDEX cash_event_address ON cash_event USING btree (address, chain_id);
CREATE INDEX cash_event_block ON cash_event USING btree (chain_id, block_number);
CREATE INDEX cash_event_deposit ON cash_event USING btree (chain_id, escrow, deposit_id);
CREATE INDEX cash_event_intent ON cash_event USING btree (chain_id, intent_hash) WHERE (kind = 'locked'::text);
CREATE INDEX cash_event_tx ON cash_event USING btree (chain_id, tx_hash);

create table cash_order (
  quote_id uuid not null,
  account_id uuid not null,
  provider text not null default 'peer'::text,
  source_chain_id bigint not null,
  source_token text not null,
  source_amount numeric not null,
  from_incognito boolean not null,
  chain_id bigint not null,
  escrow text not null,
  orchestrator text not null,
  depositor text not null,
  token text not null,
  amount numeric not null,
  payment_method text not null,
  currency text not null,
  payee_details text not null,
  minimum_rate numeric not null,
  quoted_rate numeric not null,
  deposit_key text not null,
  phase text not null default 'depositing'::text,
  failure_kind text,
  deposit_id numeric,
  deposit_tx text,
  deposited numeric not null default 0,
  filled numeric not null default 0,
  released numeric not null default 0,
  withdrawn numeric not null default 0,
  dust numeric not null default 0,
  outstanding numeric not null default 0,
  fiat_amount numeric not null default 0,
  buyer_payment_due_at timestamp with time zone,
  recoverable_at timestamp with time zone,
  block_due bigint,
  time_due bigint,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  accepts_buyers boolean not null default false,
  constraint cash_order_pkey PRIMARY KEY (quote_id),
  constraint cash_order_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint cash_order_amount_check CHECK ((amount > (0)::numeric)),
  constraint cash_order_check CHECK (((ended_at IS NOT NULL) = (phase = ANY (ARRAY['completed'::text, 'returned'::text, 'failed'::text])))),
  constraint cash_order_check1 CHECK (((failure_kind IS NOT NULL) = (phase = 'failed'::text))),
  constraint cash_order_check2 CHECK (((deposit_id IS NULL) = (deposit_tx IS NULL))),
  constraint cash_order_check3 CHECK (((deposit_id IS NULL) = (phase = ANY (ARRAY['depositing'::text, 'bridging'::text, 'failed'::text])))),
  constraint cash_order_check4 CHECK (((released <= filled) AND ((((filled + withdrawn) + dust) + outstanding) <= deposited))),
  constraint cash_order_failure_kind_check CHECK ((failure_kind = ANY (ARRAY['deposit_failed'::text, 'bridge_refunded'::text, 'bridge_fallback'::text]))),
  constraint cash_order_fiat_amount_check CHECK ((fiat_amount >= (0)::numeric)),
  constraint cash_order_minimum_rate_check CHECK ((minimum_rate > (0)::numeric)),
  constraint cash_order_phase_check CHECK ((phase = ANY (ARRAY['depositing'::text, 'bridging'::text, 'listed'::text, 'matched'::text, 'partially_filled'::text, 'completed'::text, 'returned'::text, 'failed'::text]))),
  constraint cash_order_provider_check CHECK ((provider = 'peer'::text)),
  constraint cash_order_quote_id_fkey FOREIGN KEY (quote_id) REFERENCES quote(id) ON DELETE CASCADE,
  constraint cash_order_quoted_rate_check CHECK ((quoted_rate > (0)::numeric)),
  constraint cash_order_source_amount_check CHECK ((source_amount > (0)::numeric))
);
CREATE INDEX cash_order_account ON cash_order USING btree (account_id, created_at DESC);
CREATE INDEX cash_order_block_due ON cash_order USING btree (chain_id, block_due) WHERE (block_due IS NOT NULL);
CREATE INDEX cash_order_depositor ON cash_order USING btree (depositor);
CREATE INDEX cash_order_ended ON cash_order USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX cash_order_open ON cash_order USING btree (created_at) WHERE (ended_at IS NULL);
CREATE INDEX cash_order_time_due ON cash_order USING btree (chain_id, time_due) WHERE (time_due IS NOT NULL);
CREATE TRIGGER cash_order_forgets_payee AFTER UPDATE OF ended_at ON cash_order FOR EACH ROW WHEN ((new.ended_at IS NOT NULL)) EXECUTE FUNCTION forget_payee_of_order();
CREATE TRIGGER cash_order_logs_update AFTER UPDATE ON cash_order REFERENCING OLD TABLE AS removed NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_moved_orders();

create table cash_payee (
  quote_id uuid not null,
  account_id uuid not null,
  sealed bytea not null,
  master_key_id text not null,
  told_cash_outs integer not null default 0,
  constraint cash_payee_pkey PRIMARY KEY (quote_id),
  constraint cash_payee_quote_id_account_id_fkey FOREIGN KEY (quote_id, account_id) REFERENCES quote(id, account_id) ON DELETE CASCADE
);
CREATE INDEX cash_payee_account ON cash_payee USING btree (account_id);

create table cash_withdrawal (
  quote_id uuid not null,
  account_id uuid not null,
  chain_id bigint not null,
  escrow text not null,
  deposit_id numeric not null,
  ended_at timestamp with time zone,
  constraint cash_withdrawal_pkey PRIMARY KEY (quote_id),
  constraint cash_withdrawal_quote_id_account_id_fkey FOREIGN KEY (quote_id, account_id) REFERENCES quote(id, account_id) ON DELETE CASCADE
);
CREATE INDEX cash_withdrawal_account ON cash_withdrawal USING btree (account_id);
CREATE UNIQUE INDEX cash_withdrawal_deposit ON cash_withdrawal USING btree (chain_id, escrow, deposit_id) WHERE (ended_at IS NULL);

create table clear_signing_binding (
  snapshot_id bigint not null,
  kind text not null,
  chain_id bigint not null,
  address text not null,
  format_hash bytea not null,
  descriptor_id bigint not null,
  constraint clear_signing_binding_pkey PRIMARY KEY (snapshot_id, kind, chain_id, address, format_hash),
  constraint clear_signing_binding_descriptor_id_fkey FOREIGN KEY (descriptor_id) REFERENCES clear_signing_descriptor(id) ON DELETE CASCADE,
  constraint clear_signing_binding_kind_check CHECK ((kind = ANY (ARRAY['calldata'::text, 'eip712'::text]))),
  constraint clear_signing_binding_snapshot_id_fkey FOREIGN KEY (snapshot_id) REFERENCES clear_signing_snapshot(id) ON DELETE CASCADE
);
CREATE INDEX clear_signing_binding_descriptor_id_idx ON clear_signing_binding USING btree (descriptor_id);

create table clear_signing_descriptor (
  id bigint not null generated always as identity,
  snapshot_id bigint not null,
  path text not null,
  kind text not null,
  standard text,
  document text not null,
  document_hash bytea not null,
  formats jsonb not null,
  constraint clear_signing_descriptor_pkey PRIMARY KEY (id),
  constraint clear_signing_descriptor_kind_check CHECK ((kind = ANY (ARRAY['calldata'::text, 'eip712'::text]))),
  constraint clear_signing_descriptor_snapshot_id_fkey FOREIGN KEY (snapshot_id) REFERENCES clear_signing_snapshot(id) ON DELETE CASCADE,
  constraint clear_signing_descriptor_snapshot_id_path_key UNIQUE (snapshot_id, path),
  constraint clear_signing_descriptor_standard_check CHECK ((standard = ANY (ARRAY['erc20'::text, 'erc721'::text, 'erc2612'::text])))
);

create table clear_signing_snapshot (
  id bigint not null generated always as identity,
  registry text not null,
  status text not null,
  pull_request integer,
  repository text,
  commit text,
  content_hash bytea not null,
  imported_at timestamp with time zone not null default now(),
  active boolean not null default false,
  constraint clear_signing_snapshot_pkey PRIMARY KEY (id),
  constraint clear_signing_snapshot_check CHECK (((status = 'pull_request'::text) = (pull_request IS NOT NULL))),
  constraint clear_signing_snapshot_check1 CHECK (((status = 'local'::text) OR ((repository IS NOT NULL) AND (commit IS NOT NULL)))),
  constraint clear_signing_snapshot_status_check CHECK ((status = ANY (ARRAY['merged'::text, 'pull_request'::text, 'local'::text])))
);
CREATE UNIQUE INDEX clear_signing_snapshot_status_coalesce_idx ON clear_signing_snapshot USING btree (status, COALESCE(pull_request, 0)) WHERE active;

create table collectible_deposit (
  chain_id bigint not null,
  contract text not null,
  token_id numeric not null,
  account_id uuid not null,
  address text not null,
  recorded_at timestamp with time zone not null default now(),
  left_at timestamp with time zone,
  constraint collectible_deposit_pkey PRIMARY KEY (chain_id, contract, token_id, recorded_at),
  constraint collectible_deposit_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint collectible_deposit_token_id_check CHECK ((token_id >= (0)::numeric))
);
CREATE INDEX collectible_deposit_account ON collectible_deposit USING btree (account_id);
CREATE UNIQUE INDEX collectible_deposit_open ON collectible_deposit USING btree (chain_id, contract, token_id) WHERE (left_at IS NULL);

create table collectible_withdrawal (
  quote_id uuid not null,
  account_id uuid not null,
  chain_id bigint not null,
  contract text not null,
  token_id numeric not null,
  ended_at timestamp with time zone,
  constraint collectible_withdrawal_pkey PRIMARY KEY (quote_id, contract, token_id),
  constraint collectible_withdrawal_quote_id_account_id_fkey FOREIGN KEY (quote_id, account_id) REFERENCES quote(id, account_id) ON DELETE CASCADE,
  constraint collectible_withdrawal_token_id_check CHECK ((token_id >= (0)::numeric))
);
CREATE UNIQUE INDEX collectible_withdrawal_live ON collectible_withdrawal USING btree (account_id, chain_id, contract, token_id) WHERE (ended_at IS NULL);
CREATE INDEX collectible_withdrawal_token ON collectible_withdrawal USING btree (chain_id, contract, token_id);

create table contact (
  account_id uuid not null,
  address text not null,
  name text not null,
  signed_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint contact_pkey PRIMARY KEY (account_id, address),
  constraint contact_account_id_fkey FOREIGN KEY (account_id) REFERENCES address_book(account_id) ON DELETE CASCADE,
  constraint contact_name_check CHECK (((length(name) >= 1) AND (length(name) <= 64)))
);

create table contact_email (
  account_id uuid not null,
  sealed_email bytea not null,
  master_key_id text not null,
  updated_at timestamp with time zone not null default now(),
  constraint contact_email_pkey PRIMARY KEY (account_id),
  constraint contact_email_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);

create table daily_total (
  day date not null,
  chain_id bigint not null,
  token text not null,
  duty text not null,
  acts bigint not null default 0,
  fees numeric not null default 0,
  gas_spent numeric not null default 0,
  gas_unpaid numeric not null default 0,
  constraint daily_total_pkey PRIMARY KEY (day, chain_id, token, duty),
  constraint daily_total_duty_check CHECK ((duty = ANY (ARRAY['relays'::text, 'sends'::text])))
);

create table dapp_call (
  quote_id uuid not null,
  account_id uuid not null,
  origin text not null,
  description text,
  calls jsonb not null,
  constraint dapp_call_pkey PRIMARY KEY (quote_id),
  constraint dapp_call_quote_id_account_id_fkey FOREIGN KEY (quote_id, account_id) REFERENCES quote(id, account_id) ON DELETE CASCADE
);

create table dapp_use (
  account_id uuid not null,
  address text not null,
  origin text not null,
  last_used_at timestamp with time zone not null default now(),
  constraint dapp_use_pkey PRIMARY KEY (address),
  constraint dapp_use_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint dapp_use_address_fkey FOREIGN KEY (address) REFERENCES stealth_address(address) ON DELETE CASCADE
);
CREATE UNIQUE INDEX dapp_use_app ON dapp_use USING btree (account_id, origin);
CREATE INDEX dapp_use_newest ON dapp_use USING btree (account_id, last_used_at DESC);
CREATE TRIGGER dapp_use_tells_delete AFTER DELETE ON dapp_use REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_accounts();
CREATE TRIGGER dapp_use_tells_insert AFTER INSERT ON dapp_use REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_accounts();
CREATE TRIGGER dapp_use_tells_update AFTER UPDATE ON dapp_use REFERENCING OLD TABLE AS removed NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_accounts();

create table dismissed_prompt (
  account_id uuid not null,
  prompt_id text not null,
  dismissed_at timestamp with time zone not null default now(),
  constraint dismissed_prompt_pkey PRIMARY KEY (account_id, prompt_id),
  constraint dismissed_prompt_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);

create table earlier_account (
  signer_hash bytea not null,
  addresses bigint not null,
  constraint earlier_account_pkey PRIMARY KEY (signer_hash),
  constraint earlier_account_addresses_check CHECK ((addresses > 0)),
  constraint earlier_account_signer_hash_check CHECK ((octet_length(signer_hash) = 32))
);

create table end_total (
  book text not null,
  status text not null,
  ended bigint not null,
  constraint end_total_pkey PRIMARY KEY (book, status)
);

create table fee_waiver (
  account_id uuid not null,
  source text not null,
  granted_at timestamp with time zone not null default now(),
  active_until timestamp with time zone,
  constraint fee_waiver_pkey PRIMARY KEY (account_id, source),
  constraint fee_waiver_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint fee_waiver_source_check CHECK ((source = ANY (ARRAY['activation'::text, 'collectible'::text])))
);

create table function_signature (
  selector integer not null,
  signature text not null,
  source smallint not null,
  constraint function_signature_source_check CHECK ((source = ANY (ARRAY[2, 3])))
);
CREATE INDEX function_signature_selector ON function_signature USING btree (selector);

create table gas_at_risk (
  reference uuid not null,
  chain_id bigint not null,
  share text not null,
  gas bigint not null,
  paid_gas bigint,
  created_at timestamp with time zone not null default now(),
  outbound_id uuid not null,
  contracts text[] not null default '{}'::text[],
  network text,
  constraint gas_at_risk_pkey PRIMARY KEY (outbound_id, reference),
  constraint gas_at_risk_gas_check CHECK ((gas >= 0)),
  constraint gas_at_risk_share CHECK ((share = ANY (ARRAY['relay'::text, 'new'::text, 'proven'::text, 'plain_relay'::text, 'plain_new'::text, 'plain_proven'::text])))
);
CREATE INDEX gas_at_risk_chain ON gas_at_risk USING btree (chain_id);

create table gas_lost (
  chain_id bigint not null,
  share text not null,
  gas bigint not null,
  lost_at timestamp with time zone not null default now(),
  reference uuid,
  contracts text[] not null default '{}'::text[],
  network text,
  constraint gas_lost_gas_check CHECK ((gas > 0)),
  constraint gas_lost_share CHECK ((share = ANY (ARRAY['relay'::text, 'new'::text, 'proven'::text, 'plain_relay'::text, 'plain_new'::text, 'plain_proven'::text])))
);
CREATE INDEX gas_lost_old ON gas_lost USING btree (lost_at);
CREATE INDEX gas_lost_recent ON gas_lost USING btree (chain_id, lost_at);

create table held_token_source (
  chain_id bigint not null,
  address text not null,
  source text not null,
  source_id text not null,
  symbol text,
  name text,
  decimals integer,
  logo_url text,
  external_url text,
  total_supply numeric,
  was_hidden boolean not null default false,
  first_seen_at timestamp with time zone not null default now(),
  last_seen_at timestamp with time zone not null default now(),
  constraint held_token_source_pkey PRIMARY KEY (chain_id, address, source),
  constraint token_source_decimals_check CHECK (((decimals >= 0) AND (decimals <= 36)))
);

create table holding (
  chain_id bigint not null,
  address text not null,
  standard text not null,
  token text not null,
  token_id numeric not null default 0,
  amount numeric not null default 0,
  stale boolean not null,
  as_of_number bigint,
  as_of_hash text,
  owner_account_id uuid,
  problem text,
  retry_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint holding_pkey PRIMARY KEY (address, chain_id, standard, token, token_id),
  constraint holding_amount_check CHECK ((amount >= (0)::numeric)),
  constraint holding_check1 CHECK ((stale OR (as_of_hash IS NOT NULL))),
  constraint holding_problem_check CHECK ((problem = ANY (ARRAY['absurd'::text, 'unreadable'::text, 'unwritable'::text]))),
  constraint holding_standard_check CHECK ((standard = ANY (ARRAY['native'::text, 'erc20'::text, 'erc721'::text, 'erc1155'::text])))
);
CREATE INDEX holding_as_of ON holding USING btree (chain_id, as_of_number);
CREATE INDEX holding_collectible ON holding USING btree (owner_account_id, chain_id, token) WHERE ((amount > (0)::numeric) AND (standard = 'erc721'::text));
CREATE INDEX holding_of_owner ON holding USING btree (owner_account_id, chain_id, token, address) WHERE ((amount > (0)::numeric) AND (standard = ANY (ARRAY['native'::text, 'erc20'::text])));
CREATE INDEX holding_problem ON holding USING btree (chain_id) WHERE (problem IS NOT NULL);
CREATE INDEX holding_stale ON holding USING btree (chain_id, retry_at) WHERE stale;
CREATE INDEX holding_zero ON holding USING btree (chain_id, as_of_number) WHERE ((amount = (0)::numeric) AND (NOT stale) AND (problem IS NULL));
CREATE TRIGGER holding_added AFTER INSERT ON holding REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_to_account_holdings();
CREATE TRIGGER holding_moved AFTER UPDATE ON holding REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION move_account_holdings();
CREATE TRIGGER holding_owner BEFORE INSERT ON holding FOR EACH ROW EXECUTE FUNCTION set_owner_of_address();
CREATE TRIGGER holding_removed AFTER DELETE ON holding REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION take_from_account_holdings();
CREATE TRIGGER holding_tells_delete AFTER DELETE ON holding REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_owners();
CREATE TRIGGER holding_tells_insert AFTER INSERT ON holding REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_owners();
CREATE TRIGGER holding_tells_update AFTER UPDATE ON holding REFERENCING OLD TABLE AS removed NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_moved_holdings();

create table idempotency_key (
  account_id uuid not null,
  operation text not null,
  key_hash bytea not null,
  input_hash bytea not null,
  claim_id uuid not null,
  claimed_until timestamp with time zone not null,
  answer text,
  expires_at timestamp with time zone not null,
  sealed_answer bytea,
  answer_bytes integer not null generated always as ((COALESCE(octet_length(sealed_answer), 0) + COALESCE(octet_length(answer), 0))) stored,
  constraint idempotency_key_pkey PRIMARY KEY (account_id, operation, key_hash),
  constraint idempotency_key_input_hash_check CHECK ((length(input_hash) = 32)),
  constraint idempotency_key_key_hash_check CHECK ((length(key_hash) = 32)),
  constraint idempotency_key_one_answer CHECK (((answer IS NULL) OR (sealed_answer IS NULL)))
);
CREATE INDEX idempotency_key_account ON idempotency_key USING btree (account_id) INCLUDE (answer_bytes);
CREATE INDEX idempotency_key_expires ON idempotency_key USING btree (expires_at);

create table indexed_block (
  chain_id bigint not null,
  number bigint not null,
  hash text not null,
  parent_hash text not null,
  mined_at timestamp with time zone not null,
  indexed_at timestamp with time zone default now(),
  constraint indexed_block_pkey PRIMARY KEY (chain_id, number),
  constraint indexed_block_chain_id_fkey FOREIGN KEY (chain_id) REFERENCES indexed_chain(chain_id) ON DELETE CASCADE
);

create table indexed_chain (
  chain_id bigint not null,
  start_block bigint not null,
  block_number bigint not null,
  block_hash text,
  state text not null default 'syncing'::text,
  problem text,
  reorgs bigint not null default 0,
  deepest_reorg bigint not null default 0,
  resyncs bigint not null default 0,
  lease_owner uuid,
  lease_until timestamp with time zone,
  updated_at timestamp with time zone not null default now(),
  lease_term bigint not null default 1,
  with_pools boolean not null default true,
  untraced_to bigint,
  next_pass bigint not null default 1,
  pass_block bigint,
  pass_end bigint,
  rows_set_aside bigint not null default 0,
  swept_to bigint,
  blocks_given_up bigint not null default 0,
  constraint indexed_chain_pkey PRIMARY KEY (chain_id),
  constraint indexed_chain_check CHECK (((block_hash IS NULL) = (block_number < start_block))),
  constraint indexed_chain_pass CHECK (((pass_block IS NULL) = (pass_end IS NULL))),
  constraint indexed_chain_state_check CHECK ((state = ANY (ARRAY['syncing'::text, 'live'::text, 'resyncing'::text])))
);

create table indexed_tx (
  chain_id bigint not null,
  tx_hash text not null,
  block_hash text not null,
  block_number bigint not null,
  block_time timestamp with time zone not null,
  tx_index integer not null,
  from_address text not null,
  to_address text,
  tx_nonce bigint not null,
  value numeric not null,
  succeeded boolean not null,
  gas_used bigint not null,
  fee numeric not null,
  selector text,
  input text,
  constraint indexed_tx_pkey PRIMARY KEY (chain_id, tx_hash)
);
CREATE INDEX indexed_tx_block ON indexed_tx USING btree (chain_id, block_number);
CREATE INDEX indexed_tx_from ON indexed_tx USING btree (from_address, chain_id, block_number DESC);
CREATE TRIGGER indexed_tx_tells_delete AFTER DELETE ON indexed_tx REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_transactions();
CREATE TRIGGER indexed_tx_tells_insert AFTER INSERT ON indexed_tx REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_transactions();

create table intent (
  id uuid not null,
  quote_id uuid not null,
  place integer not null,
  chain_id bigint not null,
  eoa text not null,
  intent_nonce numeric not null,
  encoded bytea,
  combined_gas bigint not null,
  transaction_gas bigint not null,
  delegation jsonb,
  status text not null default 'queued'::text,
  batch_id uuid,
  attempts integer not null default 0,
  tx_hash text,
  error text,
  queued_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  account_id uuid not null,
  expires_at timestamp with time zone not null,
  from_block bigint not null,
  not_before timestamp with time zone not null default now(),
  exposed boolean not null default false,
  alone boolean not null default false,
  contracts text[],
  uncovered_since timestamp with time zone,
  network text,
  constraint intent_pkey PRIMARY KEY (id),
  constraint intent_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES intent_batch(id),
  constraint intent_check CHECK (((status = 'batched'::text) <= (batch_id IS NOT NULL))),
  constraint intent_check1 CHECK (((ended_at IS NULL) = (status = ANY (ARRAY['queued'::text, 'batched'::text])))),
  constraint intent_in_batch FOREIGN KEY (batch_id, account_id, quote_id) REFERENCES intent_batch_share(batch_id, account_id, quote_id),
  constraint intent_of_quote FOREIGN KEY (quote_id, account_id) REFERENCES quote(id, account_id) ON DELETE CASCADE,
  constraint intent_quote_id_fkey FOREIGN KEY (quote_id) REFERENCES quote(id) ON DELETE CASCADE,
  constraint intent_quote_id_place_key UNIQUE (quote_id, place),
  constraint intent_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'batched'::text, 'succeeded'::text, 'failed'::text])))
);
CREATE UNIQUE INDEX intent_alone ON intent USING btree (batch_id, account_id) WHERE (alone AND (batch_id IS NOT NULL));
CREATE INDEX intent_forget ON intent USING btree (ended_at) WHERE ((ended_at IS NOT NULL) AND (encoded IS NOT NULL));
CREATE INDEX intent_of_batch ON intent USING btree (batch_id) WHERE (batch_id IS NOT NULL);
CREATE UNIQUE INDEX intent_once ON intent USING btree (chain_id, eoa, intent_nonce);
CREATE INDEX intent_overdue ON intent USING btree (chain_id, expires_at) WHERE (status = 'batched'::text);
CREATE INDEX intent_queue ON intent USING btree (chain_id, queued_at) WHERE (status = 'queued'::text);
CREATE INDEX intent_unpaid ON intent USING btree (account_id, ended_at) WHERE ((status = 'failed'::text) AND (tx_hash IS NOT NULL));
CREATE TRIGGER intent_ends_conversion AFTER UPDATE OF status ON intent FOR EACH ROW WHEN ((new.alone AND (new.status = 'failed'::text))) EXECUTE FUNCTION end_conversion_of_intent();
CREATE TRIGGER intent_logs_update AFTER UPDATE ON intent REFERENCING OLD TABLE AS removed NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_intent_states();
CREATE TRIGGER intent_tells_delete AFTER DELETE ON intent REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_accounts();
CREATE TRIGGER intent_tells_insert AFTER INSERT ON intent REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_late_intents();

create table intent_batch (
  id uuid not null,
  chain_id bigint not null,
  outbound_id uuid not null,
  created_at timestamp with time zone not null default now(),
  constraint intent_batch_pkey PRIMARY KEY (id)
);
CREATE INDEX intent_batch_outbound ON intent_batch USING btree (outbound_id);

create table intent_batch_share (
  batch_id uuid not null,
  account_id uuid not null,
  quote_id uuid not null,
  constraint intent_batch_share_pkey PRIMARY KEY (batch_id, account_id),
  constraint intent_batch_share_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint intent_batch_share_batch_id_account_id_quote_id_key UNIQUE (batch_id, account_id, quote_id),
  constraint intent_batch_share_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES intent_batch(id) ON DELETE CASCADE,
  constraint intent_batch_share_quote_id_fkey FOREIGN KEY (quote_id) REFERENCES quote(id) ON DELETE CASCADE
);
CREATE INDEX intent_batch_share_account ON intent_batch_share USING btree (account_id);
CREATE INDEX intent_batch_share_quote ON intent_batch_share USING btree (quote_id);

create table intent_event (
  chain_id bigint not null,
  block_hash text not null,
  log_index integer not null,
  block_number bigint not null,
  block_time timestamp with time zone not null,
  tx_hash text not null,
  orchestrator text not null,
  eoa text not null,
  intent_nonce numeric not null,
  incremented boolean not null,
  err text not null,
  first_log integer,
  first_move integer,
  last_move integer,
  constraint intent_event_pkey PRIMARY KEY (chain_id, block_hash, log_index)
);
CREATE INDEX intent_event_block ON intent_event USING btree (chain_id, block_number);
CREATE INDEX intent_event_eoa ON intent_event USING btree (eoa, chain_id, intent_nonce);
CREATE INDEX intent_event_tx ON intent_event USING btree (chain_id, tx_hash);
CREATE TRIGGER intent_event_tells_delete AFTER DELETE ON intent_event REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_intents();
CREATE TRIGGER intent_event_tells_insert AFTER INSERT ON intent_event REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_intents();

create table invite_code (
  id text not null,
  code_hash bytea not null,
  label text not null,
  expires_at timestamp with time zone,
  consumed_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint invite_code_pkey PRIMARY KEY (id),
  constraint invite_code_code_hash_check CHECK ((length(code_hash) = 32)),
  constraint invite_code_code_hash_key UNIQUE (code_hash)
);

create table left_out_block (
  chain_id bigint not null,
  number bigint not null,
  hash text not null,
  parts text[] not null,
  tries integer not null default 0,
  retry_at timestamp with time zone not null default now(),
  noted_at timestamp with time zone not null default now(),
  constraint left_out_block_pkey PRIMARY KEY (chain_id, number),
  constraint left_out_block_chain_id_fkey FOREIGN KEY (chain_id) REFERENCES indexed_chain(chain_id) ON DELETE CASCADE
);
CREATE INDEX left_out_block_due ON left_out_block USING btree (chain_id, retry_at);

create table locked_funds (
  chain_id bigint not null,
  address text not null,
  token text not null,
  amount numeric not null,
  ceiling numeric not null,
  owner_account_id uuid,
  constraint locked_funds_pkey PRIMARY KEY (address, chain_id, token),
  constraint locked_funds_address_fkey FOREIGN KEY (address) REFERENCES stealth_address(address) ON DELETE CASCADE,
  constraint locked_funds_amount_check CHECK ((amount >= (0)::numeric)),
  constraint locked_funds_within_holding CHECK ((amount <= ceiling))
);
CREATE INDEX locked_funds_of_owner ON locked_funds USING btree (owner_account_id) WHERE (amount > (0)::numeric);
CREATE TRIGGER locked_funds_logs_insert AFTER INSERT ON locked_funds REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_new_locks();
CREATE TRIGGER locked_funds_logs_update AFTER UPDATE ON locked_funds REFERENCING OLD TABLE AS removed NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_moved_locks();
CREATE TRIGGER locked_funds_owner BEFORE INSERT ON locked_funds FOR EACH ROW EXECUTE FUNCTION set_owner_of_address();

create table oauth_code (
  code_hash bytea not null,
  account_id uuid not null,
  client_id text not null,
  redirect_uri text not null,
  code_challenge text not null,
  key_access_method text not null,
  sealed_wallet bytea,
  master_key_id text,
  expires_at timestamp with time zone not null,
  token_id text,
  token_expires_at timestamp with time zone,
  seal bytea,
  constraint oauth_code_pkey PRIMARY KEY (code_hash),
  constraint oauth_code_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint oauth_code_check CHECK (((token_id IS NULL) = (token_expires_at IS NULL))),
  constraint oauth_code_code_hash_check CHECK ((length(code_hash) = 32))
);
CREATE INDEX oauth_code_over ON oauth_code USING btree (COALESCE(token_expires_at, expires_at));

create table orchestrator_contract (
  chain_id bigint not null,
  orchestrator text not null,
  created_at timestamp with time zone not null default now(),
  constraint orchestrator_contract_pkey PRIMARY KEY (chain_id, orchestrator)
);

create table outbound_attempt (
  hash text not null,
  outbound_id uuid not null,
  raw bytea,
  max_fee_per_gas numeric not null,
  max_priority_fee_per_gas numeric not null,
  delivery text not null default 'unknown'::text,
  refusal text,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint outbound_attempt_pkey PRIMARY KEY (hash),
  constraint outbound_attempt_delivery_check CHECK ((delivery = ANY (ARRAY['unknown'::text, 'accepted'::text, 'refused'::text]))),
  constraint outbound_attempt_outbound_id_fkey FOREIGN KEY (outbound_id) REFERENCES outbound_tx(id)
);
CREATE INDEX outbound_attempt_created ON outbound_attempt USING btree (created_at);
CREATE INDEX outbound_attempt_outbound ON outbound_attempt USING btree (outbound_id, created_at);

create table outbound_tx (
  id uuid not null,
  "position" bigint not null generated always as identity,
  chain_id bigint not null,
  kind text not null,
  reference text not null,
  to_address text not null,
  data bytea,
  value numeric not null,
  gas_limit bigint not null,
  status text not null default 'queued'::text,
  signer text,
  tx_nonce bigint,
  reserved numeric not null default 0,
  refusals integer not null default 0,
  mined_hash text,
  mined_block_number bigint,
  mined_block_hash text,
  fee numeric,
  gas_used bigint,
  reason text,
  created_at timestamp with time zone not null default now(),
  settled_at timestamp with time zone,
  authorizations jsonb,
  reviewed_at timestamp with time zone,
  pointless text,
  pointless_at timestamp with time zone,
  mined_well boolean,
  covered numeric,
  likely_gas bigint,
  constraint outbound_tx_pkey PRIMARY KEY (id),
  constraint outbound_tx_authorizations_check CHECK (((jsonb_typeof(authorizations) = 'array'::text) AND (jsonb_array_length(authorizations) > 0))),
  constraint outbound_tx_check CHECK (((signer IS NULL) = (tx_nonce IS NULL))),
  constraint outbound_tx_check1 CHECK (((status <> ALL (ARRAY['signed'::text, 'sent'::text, 'confirmed'::text, 'reverted'::text])) OR (signer IS NOT NULL))),
  constraint outbound_tx_check2 CHECK (((status <> 'queued'::text) OR (signer IS NULL))),
  constraint outbound_tx_check3 CHECK (((status = ANY (ARRAY['confirmed'::text, 'reverted'::text, 'abandoned'::text])) = (settled_at IS NOT NULL))),
  constraint outbound_tx_cover CHECK (((covered IS NULL) = (likely_gas IS NULL))),
  constraint outbound_tx_gas_limit_check CHECK ((gas_limit > 0)),
  constraint outbound_tx_kind_reference_key UNIQUE (kind, reference),
  constraint outbound_tx_pointless CHECK (((pointless IS NULL) = (pointless_at IS NULL))),
  constraint outbound_tx_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'signed'::text, 'sent'::text, 'confirmed'::text, 'reverted'::text, 'abandoned'::text]))),
  constraint outbound_tx_value_check CHECK ((value >= (0)::numeric))
);
CREATE INDEX outbound_tx_forget ON outbound_tx USING btree (settled_at) WHERE ((settled_at IS NOT NULL) AND (data IS NOT NULL));
CREATE UNIQUE INDEX outbound_tx_nonce ON outbound_tx USING btree (chain_id, signer, tx_nonce) WHERE (status = ANY (ARRAY['signed'::text, 'sent'::text]));
CREATE INDEX outbound_tx_queue ON outbound_tx USING btree (chain_id, "position") WHERE (status = 'queued'::text);
CREATE INDEX outbound_tx_settled_nonce ON outbound_tx USING btree (chain_id, signer, tx_nonce) WHERE (status = ANY (ARRAY['confirmed'::text, 'reverted'::text]));
CREATE INDEX outbound_tx_unfinished ON outbound_tx USING btree (chain_id, signer) INCLUDE (reserved, mined_hash) WHERE (status = ANY (ARRAY['queued'::text, 'signed'::text, 'sent'::text]));

create table pool_book (
  account_id uuid not null,
  chain_id bigint not null,
  pool text not null,
  sealed bytea not null,
  master_key_id text not null,
  token uuid not null,
  constraint pool_book_pkey PRIMARY KEY (account_id, chain_id, pool),
  constraint pool_book_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint pool_book_token_key UNIQUE (token)
);

create table pool_conversion (
  quote_id uuid not null,
  place integer not null,
  account_id uuid not null,
  chain_id bigint not null,
  pool text not null,
  address text not null,
  deposit_index bigint not null,
  precommitment numeric not null,
  gross numeric not null,
  net numeric not null,
  vetting_fee numeric not null,
  deposit_fee numeric not null,
  ended_at timestamp with time zone,
  constraint pool_conversion_pkey PRIMARY KEY (quote_id, place),
  constraint pool_conversion_check CHECK (((net > (0)::numeric) AND (net <= gross))),
  constraint pool_conversion_check1 CHECK ((vetting_fee = (gross - net))),
  constraint pool_conversion_deposit_fee_check CHECK ((deposit_fee >= (0)::numeric)),
  constraint pool_conversion_deposit_index_check CHECK ((deposit_index >= 0)),
  constraint pool_conversion_place_check CHECK ((place >= 0)),
  constraint pool_conversion_precommitment_check CHECK ((precommitment > (0)::numeric)),
  constraint pool_conversion_quote_id_account_id_fkey FOREIGN KEY (quote_id, account_id) REFERENCES quote(id, account_id) ON DELETE CASCADE
);
CREATE INDEX pool_conversion_account ON pool_conversion USING btree (account_id, chain_id, pool);
CREATE INDEX pool_conversion_address ON pool_conversion USING btree (address);
CREATE UNIQUE INDEX pool_conversion_index ON pool_conversion USING btree (account_id, chain_id, pool, deposit_index) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX pool_conversion_precommitment ON pool_conversion USING btree (account_id, chain_id, precommitment) WHERE (ended_at IS NULL);

create table pool_event (
  chain_id bigint not null,
  block_hash text not null,
  log_index integer not null,
  block_number bigint not null,
  block_time timestamp with time zone not null,
  tx_hash text not null,
  kind text not null,
  contract text not null,
  pool text,
  asset text,
  account text,
  relayer text,
  value numeric,
  fee numeric,
  commitment numeric,
  label numeric,
  precommitment numeric,
  nullifier_hash numeric,
  root numeric,
  leaf_index bigint,
  scope numeric,
  ipfs_cid text,
  constraint pool_event_pkey PRIMARY KEY (chain_id, block_hash, log_index),
  constraint pool_event_kind_check CHECK ((kind = ANY (ARRAY['pool-registered'::text, 'pool-removed'::text, 'entrypoint-deposit'::text, 'relay'::text, 'asp-root'::text, 'deposit'::text, 'withdrawal'::text, 'ragequit'::text, 'leaf'::text]))),
  constraint pool_event_relay_recipient CHECK (((kind <> 'relay'::text) OR (account IS NULL)))
);
CREATE INDEX pool_event_account ON pool_event USING btree (account) WHERE (account IS NOT NULL);
CREATE INDEX pool_event_block ON pool_event USING btree (chain_id, block_number);
CREATE INDEX pool_event_commitment ON pool_event USING btree (commitment) WHERE (commitment IS NOT NULL);
CREATE INDEX pool_event_contract ON pool_event USING btree (chain_id, contract, kind, block_number, log_index);
CREATE INDEX pool_event_label ON pool_event USING btree (label) WHERE (label IS NOT NULL);
CREATE INDEX pool_event_leaf ON pool_event USING btree (chain_id, contract, leaf_index) WHERE (kind = 'leaf'::text);
CREATE INDEX pool_event_nullifier ON pool_event USING btree (nullifier_hash) WHERE (nullifier_hash IS NOT NULL);
CREATE INDEX pool_event_precommitment ON pool_event USING btree (precommitment) WHERE (kind = 'deposit'::text);
CREATE INDEX pool_event_ragequit ON pool_event USING btree (label, contract, chain_id) WHERE (kind = 'ragequit'::text);
CREATE INDEX pool_event_registered ON pool_event USING btree (chain_id, pool) WHERE (kind = 'pool-registered'::text);
CREATE INDEX pool_event_tx ON pool_event USING btree (chain_id, tx_hash);
CREATE TRIGGER pool_event_added AFTER INSERT ON pool_event REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION follow_pool_events();
CREATE TRIGGER pool_event_removed AFTER DELETE ON pool_event REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION follow_pool_events();
CREATE TRIGGER pool_event_tells_delete AFTER DELETE ON pool_event REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_pool_events();
CREATE TRIGGER pool_event_tells_insert AFTER INSERT ON pool_event REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_pool_events();

create table pool_recovery (
  quote_id uuid not null,
  account_id uuid not null,
  chain_id bigint not null,
  pool text not null,
  label numeric not null,
  ended_at timestamp with time zone,
  constraint pool_recovery_pkey PRIMARY KEY (quote_id),
  constraint pool_recovery_quote_id_account_id_fkey FOREIGN KEY (quote_id, account_id) REFERENCES quote(id, account_id) ON DELETE CASCADE
);
CREATE INDEX pool_recovery_account ON pool_recovery USING btree (account_id);
CREATE UNIQUE INDEX pool_recovery_label ON pool_recovery USING btree (chain_id, pool, label) WHERE (ended_at IS NULL);

create table pool_spend (
  id uuid not null,
  account_id uuid not null,
  sealed bytea not null,
  master_key_id text not null,
  constraint pool_spend_pkey PRIMARY KEY (id),
  constraint pool_spend_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);
CREATE INDEX pool_spend_account ON pool_spend USING btree (account_id);

create table price_round (
  name text not null,
  next_at timestamp with time zone not null,
  constraint price_round_pkey PRIMARY KEY (name)
);

create table price_sample (
  chain_id bigint not null,
  address text not null,
  hour timestamp with time zone not null,
  usd numeric not null,
  constraint price_sample_pkey PRIMARY KEY (chain_id, address, hour),
  constraint price_sample_usd_check CHECK ((usd > (0)::numeric))
);
CREATE INDEX price_sample_hour ON price_sample USING btree (hour);

create table quote (
  id uuid not null,
  account_id uuid not null,
  kind text not null,
  status text not null default 'locked'::text,
  chain_id bigint not null,
  token text not null,
  amount numeric not null,
  recipient text,
  terms jsonb not null,
  network_fee numeric not null,
  service_fee numeric not null,
  fee_waived boolean not null,
  gas_cost numeric not null,
  expires_at timestamp with time zone not null,
  replaces uuid,
  failure_code text,
  failure text,
  submitted_at timestamp with time zone,
  ended_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  asked jsonb not null default '{}'::jsonb,
  service_fee_usd_micros numeric,
  token_decimals smallint,
  fee_bps double precision,
  fee_receiver text,
  output_token text,
  output_amount numeric,
  output_minimum numeric,
  is_volatile boolean not null default false,
  fee_listed boolean not null default true,
  constraint quote_pkey PRIMARY KEY (id),
  constraint quote_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint quote_amount_check CHECK (((amount > (0)::numeric) OR ((amount = (0)::numeric) AND (kind = 'dapp_call'::text)))),
  constraint quote_check CHECK (((ended_at IS NULL) = (status = ANY (ARRAY['locked'::text, 'submitted'::text])))),
  constraint quote_check1 CHECK (((failure IS NOT NULL) = (status = 'failed'::text))),
  constraint quote_fee_bps_check CHECK ((fee_bps >= (0)::double precision)),
  constraint quote_gas_cost_check CHECK ((gas_cost >= (0)::numeric)),
  constraint quote_minimum_whole CHECK (((output_minimum IS NULL) = (output_amount IS NULL))),
  constraint quote_minimum_within CHECK ((output_minimum <= output_amount)),
  constraint quote_network_fee_check CHECK ((network_fee >= (0)::numeric)),
  constraint quote_of_account UNIQUE (id, account_id),
  constraint quote_of_kind FOREIGN KEY (kind) REFERENCES quote_kind(name),
  constraint quote_output_amount_check CHECK ((output_amount > (0)::numeric)),
  constraint quote_output_minimum_check CHECK ((output_minimum > (0)::numeric)),
  constraint quote_output_whole CHECK (((output_token IS NULL) = (output_amount IS NULL))),
  constraint quote_pays_somebody CHECK (((recipient IS NOT NULL) OR (status = ANY (ARRAY['unlocked'::text, 'expired'::text, 'replaced'::text])))),
  constraint quote_replaces_fkey FOREIGN KEY (replaces) REFERENCES quote(id) ON DELETE SET NULL,
  constraint quote_replaces_key UNIQUE (replaces),
  constraint quote_service_fee_check CHECK ((service_fee >= (0)::numeric)),
  constraint quote_status_check CHECK ((status = ANY (ARRAY['locked'::text, 'submitted'::text, 'confirmed'::text, 'failed'::text, 'unlocked'::text, 'expired'::text, 'replaced'::text]))),
  constraint quote_token_decimals_check CHECK (((token_decimals >= 0) AND (token_decimals <= 255)))
);
CREATE INDEX quote_account ON quote USING btree (account_id, created_at DESC);
CREATE INDEX quote_ended ON quote USING btree (account_id, ended_at) WHERE (submitted_at IS NOT NULL);
CREATE INDEX quote_expiry ON quote USING btree (expires_at) WHERE (status = 'locked'::text);
CREATE UNIQUE INDEX quote_fresh_output ON quote USING btree (recipient) WHERE (((asked -> 'details'::text) ->> 'isOutputFresh'::text) = 'true'::text);
CREATE INDEX quote_lapsed ON quote USING btree (ended_at) WHERE (status = ANY (ARRAY['unlocked'::text, 'expired'::text, 'replaced'::text]));
CREATE INDEX quote_lapsed_of_account ON quote USING btree (account_id, ended_at) WHERE (status = ANY (ARRAY['unlocked'::text, 'expired'::text, 'replaced'::text]));
CREATE INDEX quote_settled ON quote USING btree (ended_at) WHERE (status = ANY (ARRAY['confirmed'::text, 'failed'::text]));
CREATE INDEX quote_under_way ON quote USING btree (account_id) WHERE (status = ANY (ARRAY['locked'::text, 'submitted'::text]));
CREATE TRIGGER quote_ends_cash_withdrawal AFTER UPDATE OF status ON quote FOR EACH ROW WHEN (((new.kind = 'offramp_withdraw'::text) AND (new.status = ANY (ARRAY['unlocked'::text, 'expired'::text, 'replaced'::text, 'failed'::text, 'confirmed'::text])))) EXECUTE FUNCTION end_cash_withdrawal_of_quote();
CREATE TRIGGER quote_ends_conversions AFTER UPDATE OF status ON quote FOR EACH ROW WHEN (((new.kind = 'pool_deposit'::text) AND (new.status = ANY (ARRAY['unlocked'::text, 'expired'::text, 'replaced'::text])))) EXECUTE FUNCTION end_conversions_of_quote();
CREATE TRIGGER quote_ends_recovery BEFORE UPDATE OF status ON quote FOR EACH ROW WHEN (((new.kind = 'pool_recover'::text) AND (new.status = ANY (ARRAY['unlocked'::text, 'expired'::text, 'replaced'::text, 'failed'::text])))) EXECUTE FUNCTION end_recovery_of_quote();
CREATE TRIGGER quote_ends_withdrawal AFTER UPDATE OF status ON quote FOR EACH ROW WHEN (((new.kind = ANY (ARRAY['nft_withdraw'::text, 'dapp_call'::text])) AND (new.status <> ALL (ARRAY['locked'::text, 'submitted'::text])))) EXECUTE FUNCTION end_withdrawal_of_quote();
CREATE TRIGGER quote_forgets_payee AFTER UPDATE OF status ON quote FOR EACH ROW WHEN (((new.kind = 'offramp'::text) AND (new.status = ANY (ARRAY['unlocked'::text, 'expired'::text, 'replaced'::text, 'failed'::text])))) EXECUTE FUNCTION forget_payee_of_quote();
CREATE TRIGGER quote_logs_insert AFTER INSERT ON quote REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_new_quotes();
CREATE TRIGGER quote_logs_update AFTER UPDATE ON quote REFERENCING OLD TABLE AS removed NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_quote_states();

create table quote_kind (
  name text not null,
  constraint quote_kind_pkey PRIMARY KEY (name)
);

create table referral_attribution (
  id uuid not null,
  account_id uuid,
  referrer_account_id uuid not null,
  referrer_share_bps integer not null,
  referred_discount_bps integer not null,
  minimum_reward_usd_cents integer not null,
  earning_starts_at timestamp with time zone not null,
  earning_ends_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint referral_attribution_pkey PRIMARY KEY (id),
  constraint referral_attribution_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE SET NULL,
  constraint referral_attribution_account_id_key UNIQUE (account_id),
  constraint referral_attribution_check CHECK ((earning_ends_at >= earning_starts_at)),
  constraint referral_attribution_check1 CHECK ((account_id <> referrer_account_id)),
  constraint referral_attribution_minimum_reward_usd_cents_check CHECK ((minimum_reward_usd_cents >= 0)),
  constraint referral_attribution_referred_discount_bps_check CHECK (((referred_discount_bps >= 0) AND (referred_discount_bps <= 10000))),
  constraint referral_attribution_referrer_account_id_fkey FOREIGN KEY (referrer_account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint referral_attribution_referrer_share_bps_check CHECK (((referrer_share_bps >= 0) AND (referrer_share_bps <= 10000)))
);
CREATE INDEX referral_attribution_referrer ON referral_attribution USING btree (referrer_account_id);

create table referral_earning (
  quote_id uuid not null,
  attribution_id uuid not null,
  chain_id bigint not null,
  token text not null,
  service_fee numeric not null,
  referrer_share numeric not null,
  referrer_share_usd_micros numeric,
  booked_at timestamp with time zone not null default now(),
  constraint referral_earning_pkey PRIMARY KEY (quote_id),
  constraint referral_earning_attribution_id_fkey FOREIGN KEY (attribution_id) REFERENCES referral_attribution(id) ON DELETE CASCADE,
  constraint referral_earning_check CHECK (((referrer_share >= (0)::numeric) AND (referrer_share <= service_fee))),
  constraint referral_earning_referrer_share_usd_micros_check CHECK ((referrer_share_usd_micros >= (0)::numeric)),
  constraint referral_earning_service_fee_check CHECK ((service_fee > (0)::numeric))
);
CREATE INDEX referral_earning_attribution ON referral_earning USING btree (attribution_id);

create table referral_profile (
  account_id uuid not null,
  code text not null,
  created_at timestamp with time zone not null default now(),
  constraint referral_profile_pkey PRIMARY KEY (account_id),
  constraint referral_profile_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint referral_profile_code_key UNIQUE (code)
);

create table relay_ledger (
  request_id uuid not null,
  chain_id bigint not null,
  pool text not null,
  asset text not null,
  withdrawn numeric not null,
  fee_received numeric not null,
  gas_spent numeric not null,
  top_up_spent numeric not null,
  gas_used bigint not null,
  tx_hash text not null,
  booked_at timestamp with time zone not null default now(),
  to_contract boolean not null default false,
  constraint relay_ledger_pkey PRIMARY KEY (request_id),
  constraint relay_ledger_fee_received_check CHECK ((fee_received >= (0)::numeric)),
  constraint relay_ledger_gas_spent_check CHECK ((gas_spent >= (0)::numeric)),
  constraint relay_ledger_request_id_fkey FOREIGN KEY (request_id) REFERENCES relay_request(id),
  constraint relay_ledger_top_up_spent_check CHECK ((top_up_spent >= (0)::numeric)),
  constraint relay_ledger_withdrawn_check CHECK ((withdrawn >= (0)::numeric))
);
CREATE INDEX relay_ledger_booked ON relay_ledger USING btree (GREATEST(booked_at, '-infinity'::timestamp with time zone));
CREATE INDEX relay_ledger_samples ON relay_ledger USING btree (chain_id, pool, booked_at DESC) WHERE ((withdrawn > (0)::numeric) AND (top_up_spent = (0)::numeric) AND (NOT to_contract));

create table relay_request (
  id uuid not null,
  chain_id bigint not null,
  pool text not null,
  asset text not null,
  nullifier_hash numeric not null,
  context numeric not null,
  withdrawn numeric not null,
  status text not null,
  error text,
  tx_hash text,
  outbound_id uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  gas_share text,
  constraint relay_request_pkey PRIMARY KEY (id),
  constraint relay_request_check CHECK (((status = 'failed'::text) = (error IS NOT NULL))),
  constraint relay_request_gas_share_check CHECK ((gas_share = ANY (ARRAY['relay'::text, 'plain'::text]))),
  constraint relay_request_status_check CHECK ((status = ANY (ARRAY['broadcast'::text, 'confirmed'::text, 'failed'::text]))),
  constraint relay_request_withdrawn_check CHECK ((withdrawn > (0)::numeric))
);
CREATE INDEX relay_request_newest ON relay_request USING btree (updated_at DESC);
CREATE UNIQUE INDEX relay_request_note ON relay_request USING btree (nullifier_hash, pool, chain_id) WHERE (status <> 'failed'::text);
CREATE INDEX relay_request_under_way ON relay_request USING btree (chain_id, pool) WHERE (status = 'broadcast'::text);

create table relay_revert (
  chain_id bigint not null,
  pool text not null,
  nullifier_hash numeric not null,
  recipient bytea not null,
  failures integer not null default 1,
  failed_at timestamp with time zone not null default now(),
  constraint relay_revert_pkey PRIMARY KEY (nullifier_hash, pool, chain_id, recipient)
);
CREATE INDEX relay_revert_chain ON relay_revert USING btree (chain_id);
CREATE INDEX relay_revert_old ON relay_revert USING btree (failed_at);
CREATE INDEX relay_revert_recipient ON relay_revert USING btree (recipient);

create table relay_total (
  chain_id bigint not null,
  asset text not null,
  relays bigint not null,
  withdrawn numeric not null,
  fee_received numeric not null,
  gas_spent numeric not null,
  top_up_spent numeric not null,
  constraint relay_total_pkey PRIMARY KEY (chain_id, asset)
);

create table reservation (
  quote_id uuid not null,
  chain_id bigint not null,
  address text not null,
  token text not null,
  amount numeric not null,
  spent_in_block bigint,
  released_at timestamp with time zone,
  network_fee numeric not null default 0,
  service_fee numeric not null default 0,
  moved numeric not null default 0,
  constraint reservation_pkey PRIMARY KEY (quote_id, chain_id, address, token),
  constraint reservation_amount_check CHECK ((amount > (0)::numeric)),
  constraint reservation_check CHECK (((moved >= (0)::numeric) AND (moved <= amount))),
  constraint reservation_network_fee_check CHECK ((network_fee >= (0)::numeric)),
  constraint reservation_pays_fees CHECK (((network_fee + service_fee) <= amount)),
  constraint reservation_quote_id_fkey FOREIGN KEY (quote_id) REFERENCES quote(id) ON DELETE CASCADE,
  constraint reservation_service_fee_check CHECK ((service_fee >= (0)::numeric))
);
CREATE INDEX reservation_live ON reservation USING btree (chain_id, address, token) WHERE (released_at IS NULL);

create table review_seen (
  account_id uuid not null,
  chain_id bigint not null,
  seen_block bigint not null,
  seen_at timestamp with time zone not null,
  constraint review_seen_pkey PRIMARY KEY (account_id, chain_id),
  constraint review_seen_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE
);
CREATE TRIGGER review_seen_logs_insert AFTER INSERT ON review_seen REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_review_marks();
CREATE TRIGGER review_seen_logs_update AFTER UPDATE ON review_seen REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_review_marks();

create table review_skip (
  account_id uuid not null,
  address text not null,
  last_received_at timestamp(3) with time zone not null,
  raw_receive_count bigint not null,
  skipped_at timestamp with time zone not null default now(),
  last_blocks jsonb,
  constraint review_skip_pkey PRIMARY KEY (account_id, address),
  constraint review_skip_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint review_skip_last_blocks_check CHECK ((jsonb_typeof(last_blocks) = 'object'::text)),
  constraint review_skip_raw_receive_count_check CHECK ((raw_receive_count >= 0))
);
CREATE TRIGGER review_skip_logs_delete AFTER DELETE ON review_skip REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_review_marks();
CREATE TRIGGER review_skip_logs_insert AFTER INSERT ON review_skip REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_review_marks();
CREATE TRIGGER review_skip_logs_update AFTER UPDATE ON review_skip REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_review_marks();

create table revoked_token (
  token_id text not null,
  expires_at timestamp with time zone not null,
  constraint revoked_token_pkey PRIMARY KEY (token_id)
);
CREATE INDEX revoked_token_expiry ON revoked_token USING btree (expires_at);

create table send_gas (
  batch_id uuid not null,
  place integer not null,
  chain_id bigint not null,
  token text not null,
  gas_spent numeric not null,
  executed boolean not null,
  booked_at timestamp with time zone not null default now(),
  constraint send_gas_pkey PRIMARY KEY (batch_id, place),
  constraint send_gas_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES intent_batch(id),
  constraint send_gas_gas_spent_check CHECK ((gas_spent >= (0)::numeric)),
  constraint send_gas_place_check CHECK ((place >= 0))
);
CREATE INDEX send_gas_booked ON send_gas USING btree (booked_at);
CREATE INDEX send_gas_token ON send_gas USING btree (chain_id, token);

create table send_income (
  intent_id uuid not null,
  chain_id bigint not null,
  token text not null,
  network_fee numeric not null,
  service_fee numeric not null,
  booked_at timestamp with time zone not null default now(),
  constraint send_income_pkey PRIMARY KEY (intent_id),
  constraint send_income_network_fee_check CHECK ((network_fee >= (0)::numeric)),
  constraint send_income_service_fee_check CHECK ((service_fee >= (0)::numeric))
);
CREATE INDEX send_income_booked ON send_income USING btree (booked_at);
CREATE INDEX send_income_token ON send_income USING btree (chain_id, token);

create table send_total (
  chain_id bigint not null,
  token text not null,
  sends bigint not null default 0,
  network_fee numeric not null default 0,
  service_fee numeric not null default 0,
  gas_spent numeric not null default 0,
  gas_unpaid numeric not null default 0,
  constraint send_total_pkey PRIMARY KEY (chain_id, token)
);

create table sending_instance (
  chain_id bigint not null,
  id uuid not null,
  alive_until timestamp with time zone not null,
  constraint sending_instance_pkey PRIMARY KEY (chain_id, id)
);

create table server_key (
  id text not null,
  purpose text not null,
  sealed_key bytea not null,
  master_key_id text not null,
  created_at timestamp with time zone not null default now(),
  retired_at timestamp with time zone,
  constraint server_key_pkey PRIMARY KEY (id),
  constraint server_key_purpose_check CHECK ((purpose = ANY (ARRAY['token'::text, 'hpke'::text, 'quote'::text, 'transient'::text])))
);
CREATE UNIQUE INDEX server_key_current ON server_key USING btree (purpose) WHERE (retired_at IS NULL);

create table signer (
  chain_id bigint not null,
  address text not null,
  lease_owner uuid,
  lease_until timestamp with time zone,
  next_tx_nonce bigint,
  constraint signer_pkey PRIMARY KEY (chain_id, address)
);

create table siwe_nonce (
  siwe_nonce text not null,
  auth_address text not null,
  expires_at timestamp with time zone not null,
  constraint siwe_nonce_pkey PRIMARY KEY (siwe_nonce)
);
CREATE INDEX siwe_nonce_expiry ON siwe_nonce USING btree (expires_at);

create table spent_offer (
  signer_hash bytea not null,
  constraint spent_offer_pkey PRIMARY KEY (signer_hash),
  constraint spent_offer_mark_check CHECK ((octet_length(signer_hash) = 32))
);

create table stealth_address (
  address text not null,
  account_id uuid not null,
  derivation_nonce bigint not null,
  generation_context text,
  handed_out_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  told_to_venue boolean not null default false,
  constraint stealth_address_pkey PRIMARY KEY (address),
  constraint stealth_address_account_id_derivation_nonce_key UNIQUE (account_id, derivation_nonce),
  constraint stealth_address_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint stealth_address_derivation_nonce_check CHECK ((derivation_nonce >= 0)),
  constraint stealth_address_generation_context_check CHECK ((generation_context = ANY (ARRAY['external'::text, 'fund-movement'::text, 'app'::text])))
);
CREATE INDEX stealth_address_created ON stealth_address USING btree (created_at, address);
CREATE INDEX stealth_address_handed_out ON stealth_address USING btree (account_id, handed_out_at) WHERE (generation_context = 'external'::text);
CREATE INDEX stealth_address_made ON stealth_address USING btree (account_id, created_at) WHERE (generation_context = 'external'::text);
CREATE TRIGGER stealth_address_added AFTER INSERT ON stealth_address REFERENCING NEW TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION count_addresses();
CREATE TRIGGER stealth_address_deposits AFTER INSERT ON stealth_address REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION adopt_deposits();
CREATE TRIGGER stealth_address_holdings AFTER INSERT ON stealth_address FOR EACH ROW EXECUTE FUNCTION adopt_holdings();
CREATE TRIGGER stealth_address_removed AFTER DELETE ON stealth_address REFERENCING OLD TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION count_addresses();
CREATE TRIGGER stealth_address_tells_delete AFTER DELETE ON stealth_address REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_accounts();
CREATE TRIGGER stealth_address_tells_insert AFTER INSERT ON stealth_address REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_accounts();
CREATE TRIGGER stealth_address_txs AFTER INSERT ON stealth_address FOR EACH ROW EXECUTE FUNCTION adopt_account_txs();

create table subdomain (
  name text not null,
  account_id uuid not null,
  claimed_at timestamp with time zone not null default now(),
  constraint subdomain_pkey PRIMARY KEY (name),
  constraint subdomain_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE CASCADE,
  constraint subdomain_account_id_key UNIQUE (account_id),
  constraint subdomain_name_check CHECK ((name ~ '^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$'::text))
);

create table subdomain_reservation (
  name text not null,
  invite_code_hash bytea not null,
  created_at timestamp with time zone not null default now(),
  account_id uuid,
  constraint subdomain_reservation_pkey PRIMARY KEY (name),
  constraint subdomain_reservation_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id) ON DELETE SET NULL
);
CREATE INDEX subdomain_reservation_code ON subdomain_reservation USING btree (invite_code_hash);

create table subdomain_retired (
  name_hash bytea not null,
  retired_at timestamp with time zone not null default now(),
  constraint subdomain_retired_pkey PRIMARY KEY (name_hash)
);

create table token_market (
  chain_id bigint not null,
  address text not null,
  provider text not null,
  provider_asset_id text not null,
  figures jsonb not null,
  volume numeric not null default 0,
  market_cap_rank integer,
  ath_date text,
  atl_date text,
  provider_updated_at timestamp with time zone,
  price_observed_at timestamp with time zone not null,
  market_observed_at timestamp with time zone not null,
  fetched_at timestamp with time zone not null default now(),
  constraint token_market_pkey PRIMARY KEY (chain_id, address)
);
CREATE INDEX token_market_volume ON token_market USING btree (chain_id, volume DESC);

create table token_price (
  chain_id bigint not null,
  address text not null,
  usd numeric not null,
  source text not null,
  observed_at timestamp with time zone not null,
  fetched_at timestamp with time zone not null default now(),
  constraint token_price_pkey PRIMARY KEY (chain_id, address),
  constraint token_price_usd_check CHECK ((usd > (0)::numeric))
);

create table token_source (
  chain_id bigint not null,
  address text not null,
  source text not null,
  source_id text not null,
  symbol text,
  name text,
  decimals integer,
  logo_url text,
  external_url text,
  total_supply numeric,
  was_hidden boolean not null default false,
  first_seen_at timestamp with time zone not null default now(),
  last_seen_at timestamp with time zone not null default now(),
  constraint token_source_pkey PRIMARY KEY (chain_id, address, source),
  constraint token_source_decimals_check CHECK (((decimals >= 0) AND (decimals <= 36)))
);

create table total_mark (
  book text not null,
  folded_to timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint total_mark_pkey PRIMARY KEY (book)
);

create table transfer (
  chain_id bigint not null,
  block_hash text not null,
  source text not null,
  "position" integer not null,
  item integer not null default 0,
  block_number bigint not null,
  block_time timestamp with time zone not null,
  tx_hash text,
  standard text not null,
  token text not null,
  token_id numeric,
  from_address text not null,
  to_address text not null,
  amount numeric not null,
  constraint transfer_pkey PRIMARY KEY (chain_id, block_hash, source, "position", item),
  constraint transfer_amount_check CHECK ((amount >= (0)::numeric)),
  constraint transfer_check CHECK (((token_id IS NULL) = (standard = ANY (ARRAY['native'::text, 'erc20'::text])))),
  constraint transfer_check1 CHECK (((tx_hash IS NULL) = (source = 'withdrawal'::text))),
  constraint transfer_source_check CHECK ((source = ANY (ARRAY['log'::text, 'call'::text, 'withdrawal'::text]))),
  constraint transfer_standard_check CHECK ((standard = ANY (ARRAY['native'::text, 'erc20'::text, 'erc721'::text, 'erc1155'::text])))
);
CREATE INDEX transfer_block ON transfer USING btree (chain_id, block_number);
CREATE INDEX transfer_from ON transfer USING btree (from_address, chain_id, block_number DESC);
CREATE INDEX transfer_to ON transfer USING btree (to_address, chain_id, block_number DESC);
CREATE INDEX transfer_tx ON transfer USING btree (chain_id, tx_hash);
CREATE TRIGGER transfer_tells_delete AFTER DELETE ON transfer REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_transfers();
CREATE TRIGGER transfer_tells_insert AFTER INSERT ON transfer REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_changed_transfers();

create table trending_token (
  chain_id bigint not null,
  address text not null,
  place integer not null,
  constraint trending_token_pkey PRIMARY KEY (chain_id, address)
);

create table unbooked_earning (
  quote_id uuid not null,
  service_fee numeric not null,
  service_fee_usd_micros numeric,
  attempts integer not null default 1,
  reason text not null,
  next_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  constraint unbooked_earning_pkey PRIMARY KEY (quote_id),
  constraint unbooked_earning_attempts_check CHECK ((attempts > 0)),
  constraint unbooked_earning_quote_id_fkey FOREIGN KEY (quote_id) REFERENCES quote(id) ON DELETE CASCADE,
  constraint unbooked_earning_service_fee_check CHECK ((service_fee > (0)::numeric)),
  constraint unbooked_earning_service_fee_usd_micros_check CHECK ((service_fee_usd_micros >= (0)::numeric))
);
CREATE INDEX unbooked_earning_due ON unbooked_earning USING btree (next_at);

create table watched_address (
  chain_id bigint not null,
  address text not null,
  live_from bigint not null,
  near_from bigint,
  history_next bigint,
  watched_since timestamp with time zone not null default now(),
  pass bigint,
  early_to bigint,
  constraint watched_address_pkey PRIMARY KEY (chain_id, address),
  constraint watched_address_address_fkey FOREIGN KEY (address) REFERENCES stealth_address(address) ON DELETE CASCADE,
  constraint watched_address_pass_has_past CHECK (((pass IS NULL) OR ((near_from IS NULL) AND (history_next IS NOT NULL))))
);
CREATE INDEX watched_address_behind ON watched_address USING btree (chain_id, near_from, history_next) WHERE ((history_next IS NOT NULL) AND (pass IS NULL));
CREATE INDEX watched_address_cascade ON watched_address USING btree (address);
CREATE INDEX watched_address_pass ON watched_address USING btree (chain_id, pass) WHERE (pass IS NOT NULL);
CREATE TRIGGER watched_address_tells_delete AFTER DELETE ON watched_address REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_watched_addresses();
CREATE TRIGGER watched_address_tells_insert AFTER INSERT ON watched_address REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_watched_addresses();
CREATE TRIGGER watched_address_tells_update AFTER UPDATE ON watched_address REFERENCING OLD TABLE AS removed NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_rewatched_addresses();

create function accounts_of_addresses(addresses text[]) returns uuid[] set enable_seqscan=off set enable_hashjoin=off set enable_mergejoin=off;
create function accounts_of_transactions(chains bigint[], hashes text[]) returns uuid[] set enable_seqscan=off set enable_hashjoin=off set enable_mergejoin=off;
create function add_account_tx() returns trigger set enable_seqscan=off;
create function add_to_account_holdings() returns trigger;
create function adopt_account_txs() returns trigger set enable_seqscan=off;
create function adopt_deposits() returns trigger set enable_seqscan=off;
create function adopt_holdings() returns trigger set enable_seqscan=off;
create function count_addresses() returns trigger set enable_seqscan=off;
create function daily_sums(first_day date, last_day date) returns SETOF daily_total set enable_seqscan=off set plan_cache_mode=force_custom_plan;
create function demand_lasting_root(chain bigint, pool_address text, inserted integer, as_of bigint, reserve integer, landed numeric[] DEFAULT '{}'::numeric[]) returns boolean;
create function end_cash_withdrawal_of_quote() returns trigger;
create function end_conversion_of_intent() returns trigger;
create function end_conversions_of_quote() returns trigger;
create function end_counts(counted text) returns TABLE(status text, ended bigint) set enable_seqscan=off set plan_cache_mode=force_custom_plan;
create function end_recovery_of_quote() returns trigger;
create function end_withdrawal_of_quote() returns trigger;
create function fitting_gas(asked_chain bigint, lines jsonb, limits jsonb, proven_after integer, only_losses boolean DEFAULT false) returns TABLE(reference uuid, share text, contracts text[], gas bigint, paid_gas bigint, network text) set plan_cache_mode=force_generic_plan;
create function fold_totals(most integer, margin interval) returns boolean set enable_seqscan=off set plan_cache_mode=force_custom_plan;
create function folding_horizon(margin interval) returns timestamp with time zone;
create function follow_asp_reviews() returns trigger set enable_seqscan=off;
create function follow_asp_set() returns trigger set enable_seqscan=off;
create function follow_pool_events() returns trigger set enable_seqscan=off;
create function forget_payee_of_order() returns trigger;
create function forget_payee_of_quote() returns trigger;
create function log_deposit_standings() returns trigger set enable_seqscan=off set enable_hashjoin=off set enable_mergejoin=off;
create function log_intent_states() returns trigger;
create function log_moved_amounts() returns trigger;
create function log_moved_locks() returns trigger;
create function log_moved_orders() returns trigger;
create function log_new_amounts() returns trigger;
create function log_new_locks() returns trigger;
create function log_new_quotes() returns trigger;
create function log_quote_states() returns trigger;
create function log_review_marks() returns trigger;
create function log_touching_transactions() returns trigger set enable_seqscan=off set enable_hashjoin=off set enable_mergejoin=off;
create function move_account_holdings() returns trigger;
create function provenance_movements(owner uuid, asked text[], most_reached bigint, most_movements bigint) returns TABLE(addresses text[], crowded text[], movements jsonb) set enable_seqscan=off set enable_hashjoin=off set enable_mergejoin=off set plan_cache_mode=force_custom_plan;
create function quotes_without_pay(owner uuid, is_volatile_asked boolean, window_ms double precision) returns TABLE(unpaid integer, under_way integer, alike integer);
create function relay_sums() returns SETOF relay_total set enable_seqscan=off set plan_cache_mode=force_custom_plan;
create function remove_account_tx() returns trigger set enable_seqscan=off;
create function reserve_funds(quote uuid, chain_ids bigint[], addresses text[], tokens text[], amounts numeric[], network_fees numeric[], service_fees numeric[], moves numeric[]) returns void;
create function send_sums() returns SETOF send_total set enable_seqscan=off set plan_cache_mode=force_custom_plan;
create function set_owner_of_address() returns trigger set enable_seqscan=off;
create function submit_quote(asked_quote uuid, owner uuid, from_block bigint, is_alike_volatile boolean, unpaid_window_ms double precision, seen_unpaid integer, seen_under_way integer, seen_alike integer, paid_contact text, submitter_network text, ids uuid[], places integer[], eoas text[], intent_nonces numeric[], encodeds bytea[], combined_gases bigint[], transaction_gases bigint[], delegations text[], expiries bigint[], alones boolean[], delays_ms double precision[]) returns TABLE(outcome text, unpaid integer, under_way integer, alike integer);
create function sum_account_deposits() returns trigger;
create function take_from_account_holdings() returns trigger;
create function take_gas(asked_chain bigint, lines jsonb, limits jsonb, proven_after integer) returns TABLE(reference uuid, share text, contracts text[], gas bigint, paid_gas bigint, network text);
create function tell_account_changes(accounts uuid[]) returns void set enable_seqscan=off set enable_hashjoin=off set enable_mergejoin=off;
create function tell_changed_accounts() returns trigger;
create function tell_changed_intents() returns trigger;
create function tell_changed_owners() returns trigger;
create function tell_changed_pool_events() returns trigger set enable_seqscan=off set enable_hashjoin=off set enable_mergejoin=off;
create function tell_changed_transactions() returns trigger;
create function tell_changed_transfers() returns trigger;
create function tell_late_intents() returns trigger set enable_seqscan=off;
create function tell_moved_holdings() returns trigger;
create function tell_moved_orders() returns trigger;
create function tell_rewatched_addresses() returns trigger;
create function tell_watched_addresses() returns trigger;
create function unpaid_gas(asked_chain bigint) returns SETOF gas_use;
create function write_account_deposits(chains bigint[], blocks text[], places integer[]) returns void set enable_seqscan=off set enable_hashjoin=off set enable_mergejoin=off;
create function write_account_events(accounts uuid[], kinds text[], subjects text[]) returns void set enable_seqscan=off set enable_hashjoin=off set enable_mergejoin=off;
