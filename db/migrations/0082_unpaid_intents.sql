-- Intents whose gas we paid and that paid nothing, by account.
create index intent_unpaid on intent (account_id, ended_at) where status = 'failed' and tx_hash is not null;
