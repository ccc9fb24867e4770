-- New accounts of one network share their part of the budget of unpaid gas. A network is kept under a keyed name, with intents
-- until these are forgotten and with gas while it counts.
alter table intent add column network text;
alter table gas_at_risk add column network text;
alter table gas_lost add column network text;

drop function submit_quote(uuid, uuid, bigint, boolean, float8, integer, integer, integer, text, uuid[], integer[], text[],
  numeric[], bytea[], bigint[], bigint[], text[], bigint[], boolean[], float8[]);
create function submit_quote(
  asked_quote uuid, owner uuid, from_block bigint, is_alike_volatile boolean, unpaid_window_ms float8,
  seen_unpaid integer, seen_under_way integer, seen_alike integer,
  -- An address of which the account's book is told that it was paid; null where nobody is.
  paid_contact text,
  -- A keyed name of the network that it was submitted from; null where none is known.
  submitter_network text,
  -- Of each intent, as in the table; expires_at in seconds since 1970.
  ids uuid[], places integer[], eoas text[], intent_nonces numeric[], encodeds bytea[], combined_gases bigint[],
  transaction_gases bigint[], delegations text[], expiries bigint[], alones boolean[], delays_ms float8[]
)
returns table (outcome text, unpaid integer, under_way integer, alike integer)
language plpgsql as $$
begin
  perform from account where id = owner for no key update;
  select counted.unpaid, counted.under_way, counted.alike into unpaid, under_way, alike
    from quotes_without_pay(owner, is_alike_volatile, unpaid_window_ms) as counted;
  if unpaid > seen_unpaid or under_way > seen_under_way or alike > seen_alike then
    outcome := 'overtaken';
    return next;
    return;
  end if;
  update quote set status = 'submitted', submitted_at = now()
    where id = asked_quote and account_id = owner and status = 'locked' and expires_at > now();
  if not found then
    outcome := 'ended';
    return next;
    return;
  end if;
  insert into intent (id, quote_id, account_id, chain_id, from_block, place, eoa, intent_nonce, encoded, combined_gas,
    transaction_gas, delegation, expires_at, alone, not_before, network)
  select one.id, asked_quote, owner, (select chain_id from quote where quote.id = asked_quote), submit_quote.from_block,
    one.place, one.eoa, one.intent_nonce, one.encoded, one.combined_gas, one.transaction_gas, one.delegation::jsonb,
    to_timestamp(one.expires_at), one.alone, now() + one.delay_ms * interval '1 ms', submitter_network
  from unnest(ids, places, eoas, intent_nonces, encodeds, combined_gases, transaction_gases, delegations, expiries,
    alones, delays_ms) as one (id, place, eoa, intent_nonce, encoded, combined_gas, transaction_gas, delegation,
    expires_at, alone, delay_ms);
  if paid_contact is not null then
    update contact set last_used_at = now() where account_id = owner and address = paid_contact;
  end if;
  outcome := 'submitted';
  return next;
end $$;

drop function take_gas(bigint, jsonb, jsonb, integer);
drop function fitting_gas(bigint, jsonb, jsonb, integer, boolean);
drop function unpaid_gas(bigint);
drop type gas_use;
create type gas_use as (share text, account_id uuid, network text, contracts text[], gas bigint, is_lost boolean);

-- Gas that was lost on a chain within the hour, and gas that is under way. What is in a block and paid is not at risk; a reorg that takes
-- it out makes it so again. Whether intents paid is known once their block is indexed.
create function unpaid_gas(asked_chain bigint) returns setof gas_use language sql stable as $$
  select gas_lost.share, quote.account_id, gas_lost.network, contracts, gas, true
  from gas_lost left join quote on quote.id = reference
  where gas_lost.chain_id = asked_chain and lost_at > now() - interval '1 hour'
  union all
  select gas_at_risk.share, quote.account_id, gas_at_risk.network, contracts, gas, false
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
--   limits: {shares: [{of, most}], account: {foreign, plain}, network: {foreign, plain}, contract}.
-- An account's only transaction fits whatever its own limit is. After a failure half of the limit counts. The same for new
-- accounts of one network together, whose limit is half of what other networks leave of the new accounts' gas.
--   only_losses: those that fit, each by itself, once nothing is under way.
create function fitting_gas(
  asked_chain bigint, lines jsonb, limits jsonb, proven_after integer, only_losses boolean default false)
returns table (reference uuid, share text, contracts text[], gas bigint, paid_gas bigint, network text)
language plpgsql volatile as $$
declare
  used gas_use[] := array(select use from unpaid_gas(asked_chain) as use where use.is_lost or not only_losses);
  line record;
  owner uuid;
  origin text;
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
    select intent.network into origin from intent where quote_id = line.reference limit 1;
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
    if origin is not null and lane like '%new' then
      select coalesce(sum(use.gas) filter (where use.is_lost), 0), coalesce(sum(use.gas) filter (where not use.is_lost), 0)
        into lost, under_way from unnest(used) as use where use.share = lane and use.network = origin;
      select (limits -> 'network' ->> (case when is_plain then 'plain' else 'foreign' end))::bigint - coalesce(sum(use.gas), 0)
        into most from unnest(used) as use where use.share = lane and use.network is distinct from origin;
      continue when lost > 0 and lost + under_way + line.gas > most / 4;
      continue when under_way > 0 and under_way + line.gas > most / 2;
    end if;
    continue when exists (
      select from unnest(line.contracts) as contract where (
        select coalesce(sum(use.gas) filter (where use.is_lost), 0) > 0
          and sum(use.gas) + line.gas > (limits ->> 'contract')::bigint
        from unnest(used) as use where contract = any(use.contracts)));
    if not only_losses then
      used := used || row(lane, owner, origin, line.contracts, line.gas, false)::gas_use;
    end if;
    reference := line.reference;
    share := lane;
    contracts := line.contracts;
    gas := line.gas;
    paid_gas := line."paidGas";
    network := origin;
    return next;
  end loop;
end $$;

-- The same under the chain's lock, all lines or none: to be inserted by the statement that writes their transaction.
create function take_gas(asked_chain bigint, lines jsonb, limits jsonb, proven_after integer)
returns table (reference uuid, share text, contracts text[], gas bigint, paid_gas bigint, network text)
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
