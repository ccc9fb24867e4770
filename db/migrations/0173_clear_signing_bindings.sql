-- Which contract's calls and messages a descriptor is about. Within one import no two descriptors say the same of one.
create table clear_signing_binding (
  snapshot_id bigint not null references clear_signing_snapshot on delete cascade,
  kind text not null check (kind in ('calldata', 'eip712')),
  chain_id bigint not null,
  address text not null,
  -- keccak256 of the function's signature, whose first 4 bytes are the selector, or of the type.
  format_hash bytea not null,
  descriptor_id bigint not null references clear_signing_descriptor on delete cascade,
  primary key (snapshot_id, kind, chain_id, address, format_hash)
);
create index on clear_signing_binding (descriptor_id);
