-- Counts quotes whose gas an account may not pay for: those mined within a period without paying, pending ones, and
-- pending ones of equal volatility. Volatile quotes and others count apart, except among all pending ones. Called by
-- submit_quote; read by db/transact/intents-submit.ts.
create or replace function quotes_without_pay(owner uuid, is_volatile_asked boolean, window_ms float8)
returns table (unpaid integer, under_way integer, alike integer)
language sql stable
as $$
  select (
    select count(distinct quote_id)::int4 from intent join quote on quote.id = quote_id
    where intent.account_id = owner and intent.status = 'failed' and intent.tx_hash is not null
      and intent.ended_at > now() - window_ms * interval '1 ms' and is_volatile = is_volatile_asked
  ), count(*)::int4, (count(*) filter (where is_volatile = is_volatile_asked))::int4
  from quote where account_id = owner and status = 'submitted'
$$;
