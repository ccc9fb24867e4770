-- What comes out of a quote may change until it is mined, so that it may fail by no fault of the account. The least that comes
-- out does not tell: it is what was expected where no slippage is accepted, or where a bridge carries a minimum.

alter table quote add column is_volatile boolean not null default false;
update quote set is_volatile = true
  where coalesce((asked -> 'details' ->> 'hasSlippage')::boolean, output_minimum < output_amount);
