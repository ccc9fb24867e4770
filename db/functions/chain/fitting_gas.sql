-- Returns the lines that fit in turn beside lost gas, pending gas and the lines before them.
--   lines: [{reference, share, contracts, gas, paidGas}], where share is relay, plain_relay, send or plain_send.
--   limits: {shares: [{of, most}], account: {foreign, plain}, network: {foreign, plain}, contract}.
--   only_losses: tests each line by itself against losses alone, as if nothing were pending.
-- An account's only transaction fits whatever its own limit is. After a failure half of the limit counts. The same
-- holds for all new accounts of one network, whose limit is half of what other networks leave of the new accounts' gas.
-- Planning unpaid_gas takes longer than running it, so each session plans it once. Read by take_gas and
-- db/chain/unpaid-gas/gas-budget.ts.
create or replace function fitting_gas(
  asked_chain bigint, lines jsonb, limits jsonb, proven_after integer, only_losses boolean default false)
returns table (reference uuid, share text, contracts text[], gas bigint, paid_gas bigint, network text)
language plpgsql volatile
set plan_cache_mode = force_generic_plan
as $$
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
