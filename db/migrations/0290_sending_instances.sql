-- The instances that have signers of a chain in their configuration. They share the leases of these evenly, so each must know
-- how many there are.
create table sending_instance (
  chain_id bigint not null,
  id uuid not null,
  alive_until timestamptz not null,
  primary key (chain_id, id)
);
comment on table sending_instance is 'Instances of the service that want leases of a chain''s signers, and until when they count as alive.';
