-- Submits a locked quote with its intents, unless the account's unpaid quotes grew since they were checked. It is the event
-- `submit` of relayer/transact/quotes/quote-machine.ts. Read by db/transact/intents-submit.ts.
create or replace function submit_quote(
  asked_quote uuid, owner uuid, from_block bigint, is_alike_volatile boolean, unpaid_window_ms float8,
  seen_unpaid integer, seen_under_way integer, seen_alike integer,
  -- Address to mark as paid in the account's address book; null for none.
  paid_contact text,
  -- Keyed hash of the network that submitted it; null where unknown.
  submitter_network text,
  -- One element per intent, as in the table; expires_at in seconds since 1970.
  ids uuid[], places integer[], eoas text[], intent_nonces numeric[], encodeds bytea[], combined_gases bigint[],
  transaction_gases bigint[], delegations text[], expiries bigint[], alones boolean[], delays_ms float8[]
)
returns table (outcome text, unpaid integer, under_way integer, alike integer)
language plpgsql
as $$
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
