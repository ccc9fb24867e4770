-- Intents whose time is over while they are in the outbox.
create index intent_overdue on intent (chain_id, expires_at) where status = 'batched';
