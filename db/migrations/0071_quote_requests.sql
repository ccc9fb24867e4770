-- What a quote was asked for, as far as its terms do not say: a refresh reckons it again.
alter table quote add column asked jsonb not null default '{}';

-- The key that signs quotes is shared by the instances, as those of tokens are.
alter table server_key drop constraint server_key_purpose_check;
alter table server_key add constraint server_key_purpose_check check (purpose in ('token', 'hpke', 'quote'));
