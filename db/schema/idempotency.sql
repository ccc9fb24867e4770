-- Answers under an Idempotency-Key, kept for 24 hours.
create table idempotency_key (
  account_id uuid not null,
  -- Name of the operation, the same by REST and GraphQL.
  operation text not null,
  -- SHA-256 of the key: what clients write into it is theirs.
  key_hash bytea not null check (length(key_hash) = 32),
  -- SHA-256 of the canonical JSON of the input.
  input_hash bytea not null check (length(input_hash) = 32),
  -- Who runs it, or ran it.
  claim_id uuid not null,
  -- Until when it is taken to be running; renewed while it does. A process that died renews nothing.
  claimed_until timestamptz not null,
  -- The answer's JSON as it was written; null while it runs.
  answer text,
  expires_at timestamptz not null,
  -- The answer, sealed by the transient key. `answer` is not written any more.
  sealed_answer bytea,
  -- Stored answers are bounded by their bytes too, which are counted without reading the answers.
  answer_bytes int4 not null
    generated always as (coalesce(octet_length(sealed_answer), 0) + coalesce(octet_length(answer), 0)) stored,
  primary key (account_id, operation, key_hash),
  constraint idempotency_key_one_answer
    check (answer is null or sealed_answer is null)
) with (
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 5000,
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000
);
create index idempotency_key_expires on idempotency_key (expires_at);
create index idempotency_key_account on idempotency_key (account_id) include (answer_bytes);
