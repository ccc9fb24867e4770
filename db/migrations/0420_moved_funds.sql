-- What an app's calls move beyond what their quote pays is locked with it: other tokens in rows of their own, more of the quote's
-- token in its row. It is no part of any payment.
alter table reservation add column moved numeric not null default 0 check (moved >= 0 and moved <= amount);

-- As in 0350, with what is moved besides.
drop function reserve_funds(uuid, bigint[], text[], text[], numeric[], numeric[], numeric[]);
create function reserve_funds(
  quote uuid, chain_ids bigint[], addresses text[], tokens text[], amounts numeric[], network_fees numeric[],
  service_fees numeric[], moves numeric[]
)
returns void language plpgsql as $$
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

-- An app's calls may move several collectibles, which no other quote of the account moves then.
alter table collectible_withdrawal drop constraint collectible_withdrawal_pkey;
alter table collectible_withdrawal add primary key (quote_id, contract, token_id);
drop trigger quote_ends_withdrawal on quote;
create trigger quote_ends_withdrawal after update of status on quote for each row
  when (new.kind in ('nft_withdraw', 'dapp_call') and new.status not in ('locked', 'submitted'))
  execute function end_withdrawal_of_quote();
