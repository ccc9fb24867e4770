-- Stored answers are bounded by their bytes too, which are counted without reading the answers.
alter table idempotency_key add column answer_bytes int4 not null
  generated always as (coalesce(octet_length(sealed_answer), 0) + coalesce(octet_length(answer), 0)) stored;
create index idempotency_key_account on idempotency_key (account_id) include (answer_bytes);
