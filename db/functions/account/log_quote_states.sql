-- Logs new quotes.
create or replace function log_new_quotes() returns trigger language plpgsql as $$
begin
  perform write_account_events(array_agg(account_id), array_agg('quote'::text), array_agg(id::text)) from changed;
  return null;
end $$;

create or replace trigger quote_logs_insert after insert on quote
  referencing new table as changed for each statement execute function log_new_quotes();

-- Logs quotes in another state. A submitted quote is an activity.
create or replace function log_quote_states() returns trigger language plpgsql as $$
begin
  perform write_account_events(array_agg(changed.account_id), array_agg(what.kind), array_agg(what.subject))
  from changed join removed using (id)
  cross join lateral (values
    ('quote', id::text),
    ('review', ''),
    ('activity', case when changed.status in ('submitted', 'confirmed', 'failed') then id::text end)
  ) as what (kind, subject)
  where changed.status <> removed.status and what.subject is not null;
  return null;
end $$;

create or replace trigger quote_logs_update after update on quote
  referencing old table as removed new table as changed for each statement execute function log_quote_states();

-- Logs the relay of quotes whose intents are in another state.
create or replace function log_intent_states() returns trigger language plpgsql as $$
begin
  perform write_account_events(array_agg(changed.account_id), array_agg('relay'::text),
    array_agg(changed.quote_id::text))
  from changed join removed using (id) where changed.status <> removed.status;
  return null;
end $$;

create or replace trigger intent_logs_update after update on intent
  referencing old table as removed new table as changed for each statement execute function log_intent_states();
