-- What an account may owe us the gas of: its quotes that were mined within a time and did not pay, those that are under way, and of
-- these the ones that are alike. Volatile quotes and others count apart, except among all that are under way.
create function quotes_without_pay(owner uuid, is_volatile_asked boolean, window_ms float8)
returns table (unpaid integer, under_way integer, alike integer)
language sql stable as $$
  select (
    select count(distinct quote_id)::int4 from intent join quote on quote.id = quote_id
    where intent.account_id = owner and intent.status = 'failed' and intent.tx_hash is not null
      and intent.ended_at > now() - window_ms * interval '1 ms' and is_volatile = is_volatile_asked
  ), count(*)::int4, (count(*) filter (where is_volatile = is_volatile_asked))::int4
  from quote where account_id = owner and status = 'submitted'
$$;

-- Queues the signed intents of a quote, by one statement. Submissions of one account wait for each other here: else many could
-- find room for one. Whoever asks has judged how many quotes of the account failed unpaid, are under way, and are under way and
-- alike; where there are more by now, nothing is written and the new numbers are told. A function, because what is counted
-- once the lock is held must be seen by a statement that begins after that.
--
-- `outcome`: submitted; overtaken, with the numbers; or ended, where the quote is not locked any more or has run out.
create function submit_quote(
  asked_quote uuid, owner uuid, from_block bigint, is_alike_volatile boolean, unpaid_window_ms float8,
  seen_unpaid integer, seen_under_way integer, seen_alike integer,
  -- An address of which the account's book is told that it was paid; null where nobody is.
  paid_contact text,
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
    transaction_gas, delegation, expires_at, alone, not_before)
  select one.id, asked_quote, owner, (select chain_id from quote where quote.id = asked_quote), submit_quote.from_block,
    one.place, one.eoa, one.intent_nonce, one.encoded, one.combined_gas, one.transaction_gas, one.delegation::jsonb,
    to_timestamp(one.expires_at), one.alone, now() + one.delay_ms * interval '1 ms'
  from unnest(ids, places, eoas, intent_nonces, encodeds, combined_gases, transaction_gases, delegations, expiries,
    alones, delays_ms) as one (id, place, eoa, intent_nonce, encoded, combined_gas, transaction_gas, delegation,
    expires_at, alone, delay_ms);
  if paid_contact is not null then
    update contact set last_used_at = now() where account_id = owner and address = paid_contact;
  end if;
  outcome := 'submitted';
  return next;
end $$;
