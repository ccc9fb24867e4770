-- What other parts of the service need of a quote is in columns. Its document (`terms`) is read by the submission alone,
-- which holds the signed intents against it.

alter table quote
  -- Of the spent token; null for quotes of before that had ended without being submitted.
  add column token_decimals smallint check (token_decimals between 0 and 255),
  -- Rate of the service fee in basis points, as the quote shows it.
  add column fee_bps double precision check (fee_bps >= 0),
  -- Whom the last call of each intent pays the fees.
  add column fee_receiver text,
  -- What the recipient gets, where that is not `amount` of `token`: the quote exchanges one for the other.
  add column output_token text,
  add column output_amount numeric(78, 0) check (output_amount > 0),
  add constraint quote_output_whole check ((output_token is null) = (output_amount is null));

-- Of what a quote takes from an address, the part that pays us. The rest is what the quote is for.
alter table reservation
  add column network_fee numeric(78, 0) not null default 0 check (network_fee >= 0),
  add column service_fee numeric(78, 0) not null default 0 check (service_fee >= 0),
  add constraint reservation_pays_fees check (network_fee + service_fee <= amount);

-- The fees of quotes of before are in the last call of each of their intents.

create function pg_temp.number_of(hex text) returns numeric language plpgsql immutable as $$
declare
  number numeric := 0;
begin
  for place in 0..(length(hex) / 8 - 1) loop
    number := number * 4294967296 + ('x' || substr(hex, place * 8 + 1, 8))::bit(32)::bigint;
  end loop;
  return number;
end $$;

-- `abi.encode(Call[])`, Call (address to, uint256 value, bytes data): to whom its last call pays how much, by a transfer of
-- the native coin or of a token. Null for what is no such list.
create function pg_temp.last_payment(execution_data text, out receiver text, out paid numeric) language plpgsql immutable as $$
declare
  words text := substr(execution_data, 3);
  calls numeric;
  start integer;
  size numeric;
begin
  if words !~ '^([0-9a-f]{64}){2,}$' then return; end if;
  calls := pg_temp.number_of(substr(words, 65, 64));
  if calls < 1 or calls > 64 then return; end if;
  -- Offsets count from behind the length.
  start := 129 + 2 * pg_temp.number_of(substr(words, 129 + (calls::integer - 1) * 64, 64));
  size := pg_temp.number_of(substr(words, start + 192, 64));
  if size = 0 then
    receiver := '0x' || substr(words, start + 24, 40);
    paid := pg_temp.number_of(substr(words, start + 64, 64));
  elsif size = 68 and substr(words, start + 256, 8) = 'a9059cbb' then
    receiver := '0x' || substr(words, start + 256 + 8 + 24, 40);
    paid := pg_temp.number_of(substr(words, start + 256 + 8 + 64, 64));
  end if;
end $$;

create temporary table quoted_fee on commit drop as
select quote.id as quote_id, place, quoted ->> 'eoa' as eoa, receiver, paid, quote.network_fee
from quote
cross join lateral jsonb_array_elements(
  case when jsonb_typeof(terms -> 'intents') = 'array' then terms -> 'intents' else '[]' end
) with ordinality as intents (quoted, place)
cross join lateral pg_temp.last_payment(lower(quoted ->> 'executionData'))
where receiver is not null;

update quote set token_decimals = (terms ->> 'outputDecimals')::smallint,
  fee_bps = (terms ->> 'protocolFeeBps')::float8,
  fee_receiver = (select receiver from quoted_fee where quote_id = quote.id limit 1)
where terms ? 'intents';

-- The network fee of a quote is shared by what each intent pays, so that the parts add up to the unit.
with shared as (
  select quote_id, eoa, paid,
    case when sum(paid) over whole = 0 then 0 else
      div(network_fee * sum(paid) over upto, sum(paid) over whole)
        - div(network_fee * (sum(paid) over upto - paid), sum(paid) over whole)
    end as share
  from quoted_fee
  window upto as (partition by quote_id order by place), whole as (partition by quote_id)
)
update reservation set network_fee = least(share, paid), service_fee = paid - least(share, paid)
from shared where reservation.quote_id = shared.quote_id and address = eoa and paid <= amount;

-- Their only home from here on.
alter table intent drop column network_fee, drop column service_fee;
