-- Recoveries: deposits into pools that a quote takes back by ragequit, which publishes whose the deposit was.

insert into quote_kind (name) values ('pool_recover');

create table pool_recovery (
  quote_id uuid primary key,
  account_id uuid not null,
  chain_id bigint not null,
  pool text not null,
  -- Of the deposit: whatever is left of it leaves the pool at once.
  label numeric(78, 0) not null,
  -- Since when its intent can be mined no more. Null while it can, and once it took the deposit back.
  ended_at timestamptz,
  foreign key (quote_id, account_id) references quote (id, account_id) on delete cascade
);
-- No deposit is taken back twice.
create unique index pool_recovery_label on pool_recovery (chain_id, pool, label) where ended_at is null;
create index pool_recovery_account on pool_recovery (account_id);

-- By the database, so that no way in which a quote ends is forgotten. It fails once a final block has burnt its intent or is
-- later than its time, or before any node had it. A recovery that failed has published nothing of the note for certain; who
-- reads the database later is not to learn which note it was.
create function end_recovery_of_quote() returns trigger language plpgsql as $$
begin
  update pool_recovery set ended_at = now() where quote_id = new.id and ended_at is null;
  if new.status = 'failed' then
    new.terms := '{}';
    new.asked := '{}';
    update intent set encoded = null where quote_id = new.id;
  end if;
  return new;
end $$;
create trigger quote_ends_recovery before update of status on quote for each row
  when (new.kind = 'pool_recover' and new.status in ('unlocked', 'expired', 'replaced', 'failed'))
  execute function end_recovery_of_quote();
