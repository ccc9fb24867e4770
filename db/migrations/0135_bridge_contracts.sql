-- The contracts by which orders over a bridge are followed, as they were configured last: orders outlive a configuration.
create table bridge_contract (
  chain_id bigint primary key,
  spoke_pool text not null,
  multicall_handler text,
  updated_at timestamptz not null default now()
);
