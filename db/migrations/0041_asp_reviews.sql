-- What the association set provider makes of deposits that watched addresses made, by the deposit's label.
create table asp_review (
  chain_id bigint not null,
  pool text not null,
  label numeric(78, 0) not null,
  status text not null check (status in ('pending', 'approved', 'declined')),
  reviewed_at timestamptz not null default now(),
  primary key (chain_id, pool, label)
);
