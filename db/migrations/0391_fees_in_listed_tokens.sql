-- Whether a quote's fee is taken in a token that the operator lists. The books count no other: its issuer can take a fee back.
-- What an earlier version quoted counts as listed.
alter table quote add column fee_listed boolean not null default true;
