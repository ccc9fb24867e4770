-- Takes the gas of all lines or of none, as decided by fitting_gas, under the chain's lock. Called by the statement
-- that writes the lines' transaction (db/chain/unpaid-gas/gas-budget.ts).
create or replace function take_gas(asked_chain bigint, lines jsonb, limits jsonb, proven_after integer)
returns table (reference uuid, share text, contracts text[], gas bigint, paid_gas bigint, network text)
language plpgsql volatile
as $$
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
