-- A chain without a relayer is indexed without the events of privacy pools. When a relayer is configured for it later, those
-- of the past are missing and the chain has to be read again.
alter table indexed_chain add column with_pools boolean not null default true;
