-- A server key for what lives a day at most: names and values in Redis, and answers under an Idempotency-Key.

alter table server_key drop constraint server_key_purpose_check;
alter table server_key add constraint server_key_purpose_check
  check (purpose in ('token', 'hpke', 'quote', 'transient'));

-- The answer, sealed by the transient key. `answer` holds those of earlier versions in clear, for a day.
alter table idempotency_key add column sealed_answer bytea;
alter table idempotency_key add constraint idempotency_key_one_answer
  check (answer is null or sealed_answer is null);

-- The moment of a request is told to the hour alone, once it has been answered.
update idempotency_key set expires_at = date_trunc('hour', expires_at) + interval '1 hour';
update idempotency_key set claimed_until = expires_at where answer is not null;
