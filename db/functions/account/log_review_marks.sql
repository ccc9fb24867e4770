-- Logs that an account skipped, restored or saw receipts.
create or replace function log_review_marks() returns trigger language plpgsql as $$
begin
  perform write_account_events(array_agg(account_id), array_agg('review'::text), array_agg(''::text)) from changed;
  return null;
end $$;

create or replace trigger review_skip_logs_insert after insert on review_skip
  referencing new table as changed for each statement execute function log_review_marks();

create or replace trigger review_skip_logs_update after update on review_skip
  referencing new table as changed for each statement execute function log_review_marks();

create or replace trigger review_skip_logs_delete after delete on review_skip
  referencing old table as changed for each statement execute function log_review_marks();

create or replace trigger review_seen_logs_insert after insert on review_seen
  referencing new table as changed for each statement execute function log_review_marks();

create or replace trigger review_seen_logs_update after update on review_seen
  referencing new table as changed for each statement execute function log_review_marks();
