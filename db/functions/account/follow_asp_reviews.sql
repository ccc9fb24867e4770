-- Rewrites the deposits whose review changed.
create or replace function follow_asp_reviews() returns trigger language plpgsql
set enable_seqscan = off
as $$
begin
  if not exists (select from changed) then return null; end if;
  perform pg_advisory_xact_lock(7236514989);
  perform write_account_deposits(array_agg(known.chain_id), array_agg(known.block_hash), array_agg(known.log_index))
  from changed cross join lateral (
    select chain_id, block_hash, log_index from account_deposit
    where account_deposit.label = changed.label and account_deposit.chain_id = changed.chain_id
      and account_deposit.pool = changed.pool offset 0
  ) as known;
  return null;
end $$;

create or replace trigger asp_review_added after insert on asp_review
  referencing new table as changed for each statement execute function follow_asp_reviews();

create or replace trigger asp_review_moved after update on asp_review
  referencing new table as changed for each statement execute function follow_asp_reviews();

create or replace trigger asp_review_removed after delete on asp_review
  referencing old table as changed for each statement execute function follow_asp_reviews();
