import type { DatabasePool } from 'slonik'
import { sql } from '../../../../db/connect-database.ts'

/**
 * Makes later submissions wait in the queue, as if their time had not come. A test that only hurried while a batch is
 * gathered would be too late on a slow machine.
 * @returns A function that releases all waiting intents.
 */
export async function holdIntents(pool: DatabasePool): Promise<() => Promise<void>> {
  const run = (statement: ReturnType<typeof sql.fragment>) => pool.query(sql.typeAlias('void')`${statement}`)
  await run(sql.fragment`
    create function hold_intent() returns trigger language plpgsql as $$
    begin
      new.not_before := now() + interval '1 hour';
      return new;
    end $$`)
  await run(sql.fragment`
    create trigger hold_intents before insert on intent for each row execute function hold_intent()`)
  return async () => {
    await run(sql.fragment`drop trigger hold_intents on intent`)
    await run(sql.fragment`drop function hold_intent`)
    await run(sql.fragment`update intent set not_before = now() where status = 'queued'`)
  }
}
