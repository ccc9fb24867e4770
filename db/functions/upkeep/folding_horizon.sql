-- The time up to which all rows are visible: rows carry the time at which their transaction began.
create or replace function folding_horizon(margin interval) returns timestamptz language sql volatile as $$
  select least(clock_timestamp() - margin, min(xact_start)) from pg_stat_activity where datname = current_database()
$$;
