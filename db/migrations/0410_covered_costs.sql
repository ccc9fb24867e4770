-- What the fee of a transaction covers, in wei, and the gas that it is expected to use: checked again before it is signed, and a
-- bound of every form. Null where nothing is paid for it, and in rows of earlier versions: then only the chain's cap binds.
alter table outbound_tx
  add column covered numeric,
  add column likely_gas bigint,
  add constraint outbound_tx_cover check ((covered is null) = (likely_gas is null));

-- Since when sending it costs more than its fee covers; null while it does not.
alter table intent add column uncovered_since timestamptz;
