-- Gas is taken when a transaction is written to the outbox, not when a quote is accepted. A budget is for strangers' code (relay, new,
-- proven), another for code that the operator knows (the same with plain_).

-- Contracts of strangers that the intent runs; an intent with a list goes alone, and once. Null: it may share a transaction.
alter table intent add column contracts text[];
update intent set contracts = '{}' from gas_at_risk
  where reference = quote_id and gas_at_risk.share in ('new', 'proven') and intent.status in ('queued', 'batched');

-- Whether its block has the call that was asked for; null while it is in no block.
alter table outbound_tx add column mined_well boolean;

alter table gas_at_risk drop constraint gas_at_risk_share_check;
alter table gas_at_risk add column outbound_id uuid;
alter table gas_at_risk add column contracts text[] not null default '{}';
update gas_at_risk set outbound_id = relay_request.outbound_id from relay_request where relay_request.id = reference;
update gas_at_risk set outbound_id = intent_batch.outbound_id
  from intent join intent_batch on intent_batch.id = batch_id
  where quote_id = reference and intent.status = 'batched' and gas_at_risk.share <> 'relay';
delete from gas_at_risk where outbound_id is null;
alter table gas_at_risk alter column outbound_id set not null;
alter table gas_at_risk drop constraint gas_at_risk_pkey;
alter table gas_at_risk add primary key (outbound_id, reference);
alter table gas_lost drop constraint gas_lost_share_check;
-- The relay request, or the quote of a send; null where neither is known any more.
alter table gas_lost add column reference uuid;
alter table gas_lost add column contracts text[] not null default '{}';
update gas_at_risk set share = 'plain_new' where share = 'plain';
update gas_lost set share = 'plain_new' where share = 'plain';
alter table gas_at_risk add constraint gas_at_risk_share
  check (share in ('relay', 'new', 'proven', 'plain_relay', 'plain_new', 'plain_proven'));
alter table gas_lost add constraint gas_lost_share
  check (share in ('relay', 'new', 'proven', 'plain_relay', 'plain_new', 'plain_proven'));

create type gas_use as (share text, account_id uuid, contracts text[], gas bigint, is_lost boolean);

-- Gas that was lost on a chain within the hour, and gas that is under way. What is in a block and paid is not at risk; a reorg that takes
-- it out makes it so again. Whether intents paid is known once their block is indexed.
create function unpaid_gas(asked_chain bigint) returns setof gas_use language sql stable as $$
  select gas_lost.share, quote.account_id, contracts, gas, true
  from gas_lost left join quote on quote.id = reference
  where gas_lost.chain_id = asked_chain and lost_at > now() - interval '1 hour'
  union all
  select gas_at_risk.share, quote.account_id, contracts, gas, false
  from gas_at_risk join outbound_tx on outbound_tx.id = outbound_id left join quote on quote.id = gas_at_risk.reference
  where gas_at_risk.chain_id = asked_chain and outbound_tx.status in ('queued', 'signed', 'sent')
    and not (mined_hash is not null and pointless is null and coalesce(mined_well, false) and (gas_at_risk.share in ('relay', 'plain_relay') or (network_fee > 0 and fee_listed)) and not exists (
      select from intent_batch join intent on intent.batch_id = intent_batch.id
      where intent_batch.outbound_id = gas_at_risk.outbound_id and intent.quote_id = gas_at_risk.reference
        and not exists (
          select from intent_event where intent_event.eoa = intent.eoa and intent_event.chain_id = asked_chain
            and intent_event.intent_nonce = intent.intent_nonce and incremented and err = '0x00000000')))
$$;

-- Those of the lines that fit beside what is lost, under way, and the lines before them.
--   lines: [{reference, share, contracts, gas, paidGas}], where share is relay, plain_relay, send or plain_send.
--   limits: {shares: [{of, most}], account: {foreign, plain}, contract}.
-- An account's only transaction fits whatever its own limit is. After a failure half of the limit counts.
--   only_losses: those that fit, each by itself, once nothing is under way.
create function fitting_gas(
  asked_chain bigint, lines jsonb, limits jsonb, proven_after integer, only_losses boolean default false)
returns table (reference uuid, share text, contracts text[], gas bigint, paid_gas bigint)
language plpgsql volatile as $$
declare
  used gas_use[] := array(select use from unpaid_gas(asked_chain) as use where use.is_lost or not only_losses);
  line record;
  owner uuid;
  lane text;
  is_plain boolean;
  most bigint;
  lost bigint;
  under_way bigint;
begin
  for line in select * from jsonb_to_recordset(lines)
    as one (reference uuid, share text, contracts text[], gas bigint, "paidGas" bigint)
  loop
    select account_id into owner from quote where id = line.reference;
    is_plain := line.share like 'plain%';
    lane := line.share;
    if lane like '%send' then
      lane := replace(lane, 'send', case when (
        select count(*) from (select from quote where account_id = owner and submitted_at is not null
          and status = 'confirmed' and network_fee > 0 and fee_listed limit proven_after) as paid
      ) >= proven_after then 'proven' else 'new' end);
    end if;
    continue when exists (
      select from jsonb_to_recordset(limits -> 'shares') as one ("of" text[], most bigint)
      where lane = any(one."of") and line.gas + (
        select coalesce(sum(use.gas), 0) from unnest(used) as use where use.share = any(one."of")) > one.most);
    if owner is not null then
      most := limits -> 'account' ->> (case when is_plain then 'plain' else 'foreign' end);
      select coalesce(sum(use.gas) filter (where use.is_lost), 0), coalesce(sum(use.gas) filter (where not use.is_lost), 0)
        into lost, under_way from unnest(used) as use
        where use.account_id = owner and (use.share like 'plain%') = is_plain;
      continue when lost > 0 and lost + under_way + line.gas > most / 2;
      continue when under_way > 0 and under_way + line.gas > most;
    end if;
    continue when exists (
      select from unnest(line.contracts) as contract where (
        select coalesce(sum(use.gas) filter (where use.is_lost), 0) > 0
          and sum(use.gas) + line.gas > (limits ->> 'contract')::bigint
        from unnest(used) as use where contract = any(use.contracts)));
    if not only_losses then
      used := used || row(lane, owner, line.contracts, line.gas, false)::gas_use;
    end if;
    reference := line.reference;
    share := lane;
    contracts := line.contracts;
    gas := line.gas;
    paid_gas := line."paidGas";
    return next;
  end loop;
end $$;

-- The same under the chain's lock, all lines or none: to be inserted by the statement that writes their transaction.
create function take_gas(asked_chain bigint, lines jsonb, limits jsonb, proven_after integer)
returns table (reference uuid, share text, contracts text[], gas bigint, paid_gas bigint)
language plpgsql volatile as $$
declare
  fitting integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('gas budget of chain ' || asked_chain, 0));
  return query select * from fitting_gas(asked_chain, lines, limits, proven_after);
  get diagnostics fitting = row_count;
  if fitting < jsonb_array_length(lines) then
    raise exception using errcode = 'check_violation', constraint = 'gas_budget',
      message = format('%s of %s fit into the budget of unpaid gas', fitting, jsonb_array_length(lines));
  end if;
end $$;
