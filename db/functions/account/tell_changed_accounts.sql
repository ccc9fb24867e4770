-- For tables with an account's id: counts changes for it. Old rows are `removed`, new ones `changed`.
create or replace function tell_changed_accounts() returns trigger language plpgsql as $$
begin
  perform tell_account_changes(array_agg(account_id)) from (select distinct account_id from changed) as told;
  return null;
end $$;

create or replace trigger account_token_tells_delete after delete on account_token
  referencing old table as changed for each statement execute function tell_changed_accounts();

create or replace trigger account_token_tells_insert after insert on account_token
  referencing new table as changed for each statement execute function tell_changed_accounts();

create or replace trigger account_token_tells_update after update on account_token
  referencing old table as removed new table as changed for each statement execute function tell_changed_accounts();

create or replace trigger address_tag_tells_delete after delete on address_tag
  referencing old table as changed for each statement execute function tell_changed_accounts();

create or replace trigger address_tag_tells_insert after insert on address_tag
  referencing new table as changed for each statement execute function tell_changed_accounts();

create or replace trigger address_tag_tells_update after update on address_tag
  referencing old table as removed new table as changed for each statement execute function tell_changed_accounts();

create or replace trigger bridge_order_tells_delete after delete on bridge_order
  referencing old table as changed for each statement execute function tell_changed_accounts();

create or replace trigger bridge_order_tells_insert after insert on bridge_order
  referencing new table as changed for each statement execute function tell_changed_accounts();

create or replace trigger dapp_use_tells_delete after delete on dapp_use
  referencing old table as changed for each statement execute function tell_changed_accounts();

create or replace trigger dapp_use_tells_insert after insert on dapp_use
  referencing new table as changed for each statement execute function tell_changed_accounts();

create or replace trigger dapp_use_tells_update after update on dapp_use
  referencing old table as removed new table as changed for each statement execute function tell_changed_accounts();

create or replace trigger intent_tells_delete after delete on intent
  referencing old table as changed for each statement execute function tell_changed_accounts();

create or replace trigger stealth_address_tells_delete after delete on stealth_address
  referencing old table as changed for each statement execute function tell_changed_accounts();

create or replace trigger stealth_address_tells_insert after insert on stealth_address
  referencing new table as changed for each statement execute function tell_changed_accounts();
