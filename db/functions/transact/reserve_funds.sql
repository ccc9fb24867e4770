-- Locks amounts of addresses for a quote, as far as they are free. Returns rows as db/transact/reservations.ts reads them.
create or replace function reserve_funds(
  quote uuid, chain_ids bigint[], addresses text[], tokens text[], amounts numeric[], network_fees numeric[],
  service_fees numeric[], moves numeric[]
)
returns void language plpgsql
as $$
begin
  perform from account where id = (select account_id from quote as reserving where reserving.id = reserve_funds.quote)
    for key share;

  insert into locked_funds (chain_id, address, token, amount, ceiling)
  select wanted.chain_id, wanted.address, wanted.token, 0, 0
  from unnest(chain_ids, addresses, tokens) as wanted (chain_id, address, token)
  order by wanted.address, wanted.chain_id, wanted.token
  on conflict (address, chain_id, token) do update set amount = locked_funds.amount;

  insert into reservation (quote_id, chain_id, address, token, amount, network_fee, service_fee, moved)
  select quote, wanted.*
  from unnest(chain_ids, addresses, tokens, amounts, network_fees, service_fees, moves) as wanted;

  insert into locked_funds (chain_id, address, token, amount, ceiling)
  select wanted.chain_id, wanted.address, wanted.token, wanted.amount, coalesce(held.amount, 0)
  from unnest(chain_ids, addresses, tokens, amounts) as wanted (chain_id, address, token, amount)
  left join holding as held on held.chain_id = wanted.chain_id and held.address = wanted.address
    and held.token = wanted.token and held.standard in ('native', 'erc20')
  order by wanted.address, wanted.chain_id, wanted.token
  on conflict (address, chain_id, token) do update
    set amount = locked_funds.amount + excluded.amount, ceiling = excluded.ceiling;
end $$;
