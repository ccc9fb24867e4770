-- Which term of a chain's lease it is: a new one begins whenever another instance takes it. Who had the lease, lost it and
-- has it again must not go on with what it knew: the other may have watched addresses meanwhile.
alter table indexed_chain add column lease_term bigint not null default 1;
