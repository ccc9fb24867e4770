-- Lists gas lost on a chain within the hour, and gas of pending transactions. A transaction that is mined and paid is
-- not at risk; a reorg that removes it puts it at risk again. Whether intents paid is known once their block is
-- indexed. Read by fitting_gas and db/chain/unpaid-gas/gas-budget.ts.
create or replace function unpaid_gas(asked_chain bigint) returns setof gas_use language sql stable as $$
  select gas_lost.share, quote.account_id, gas_lost.network, contracts, gas, true
  from gas_lost left join quote on quote.id = reference
  where gas_lost.chain_id = asked_chain and lost_at > now() - interval '1 hour'
  union all
  select gas_at_risk.share, quote.account_id, gas_at_risk.network, contracts, gas, false
  from gas_at_risk join outbound_tx on outbound_tx.id = outbound_id left join quote on quote.id = gas_at_risk.reference
  where gas_at_risk.chain_id = asked_chain and outbound_tx.status in ('queued', 'signed', 'sent')
    and not (mined_hash is not null and pointless is null and coalesce(mined_well, false) and (gas_at_risk.share in ('relay', 'plain_relay') or (network_fee > 0 and fee_listed)) and not exists (
      select from intent_batch join intent on intent.batch_id = intent_batch.id
      where intent_batch.outbound_id = gas_at_risk.outbound_id and intent.quote_id = gas_at_risk.reference
        and not exists (
          select from intent_event where intent_event.eoa = intent.eoa and intent_event.chain_id = asked_chain
            and intent_event.intent_nonce = intent.intent_nonce and incremented and err = '0x00000000')))
$$;
