-- Logs tokens of which an account has another amount.
create or replace function log_moved_amounts() returns trigger language plpgsql as $$
begin
  perform write_account_events(array_agg(account_id), array_agg(kind), array_agg(subject)) from (
    select account_id, what.kind, what.subject from (
      (select account_id, chain_id, token, amount from changed
        except select account_id, chain_id, token, amount from removed)
      union all
      (select account_id, chain_id, token, amount from removed
        except select account_id, chain_id, token, amount from changed)
    ) as moved cross join lateral (values ('balance', concat_ws(' ', chain_id, token)), ('review', ''))
      as what (kind, subject)
  ) as told;
  return null;
end $$;

create or replace trigger account_holding_logs_update after update on account_holding
  referencing old table as removed new table as changed for each statement execute function log_moved_amounts();

-- Logs tokens that an account received for the first time.
create or replace function log_new_amounts() returns trigger language plpgsql as $$
begin
  perform write_account_events(array_agg(account_id), array_agg(what.kind), array_agg(what.subject))
  from changed cross join lateral (values ('balance', concat_ws(' ', chain_id, token)), ('review', ''))
    as what (kind, subject)
  where amount > 0;
  return null;
end $$;

create or replace trigger account_holding_logs_insert after insert on account_holding
  referencing new table as changed for each statement execute function log_new_amounts();
