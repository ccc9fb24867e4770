-- Orders that are under way are followed by the contracts with which they were signed: settings change meanwhile.
alter table bridge_contract drop constraint bridge_contract_pkey;
create unique index bridge_contract_key on bridge_contract (chain_id, spoke_pool, coalesce(multicall_handler, ''));

alter table cash_contract drop constraint cash_contract_pkey;
alter table cash_contract add primary key (chain_id, escrow, orchestrator);

create table orchestrator_contract (
  chain_id bigint not null,
  orchestrator text not null,
  created_at timestamptz not null default now(),
  primary key (chain_id, orchestrator)
);
comment on table orchestrator_contract is
  'Orchestrators by chain, present and past: an intent under way is executed by the one that it was signed for.';
insert into orchestrator_contract (chain_id, orchestrator)
select distinct chain_id, orchestrator from intent_event on conflict do nothing;
