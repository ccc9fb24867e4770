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
  primary key (account_id, operation, key_hash)
);

create index idempotency_key_expires on idempotency_key (expires_at);
