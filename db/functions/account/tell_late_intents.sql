-- A submitted intent changes nothing yet, unless its event was indexed before.
create or replace function tell_late_intents() returns trigger language plpgsql
set enable_seqscan = off
as $$
begin
  perform tell_account_changes(array_agg(account_id)) from (
    select changed.account_id from changed cross join lateral (
      select from intent_event where intent_event.eoa = changed.eoa and intent_event.chain_id = changed.chain_id
        and intent_event.intent_nonce = changed.intent_nonce limit 1
    ) as event
  ) as told having count(*) > 0;
  return null;
end $$;

create or replace trigger intent_tells_insert after insert on intent
  referencing new table as changed for each statement execute function tell_late_intents();
