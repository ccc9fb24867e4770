-- Ends the conversion whose intent failed: a final block has burnt it, its time is over, or no node ever had it.
create or replace function end_conversion_of_intent() returns trigger language plpgsql as $$
begin
  update pool_conversion set ended_at = now()
  where quote_id = new.quote_id and place = new.place and ended_at is null;
  return null;
end $$;

create or replace trigger intent_ends_conversion after update of status on intent for each row
  when (new.alone and new.status = 'failed') execute function end_conversion_of_intent();
