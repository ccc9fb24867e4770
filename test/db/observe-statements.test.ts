import { expect, it } from 'vitest'
import { nameStatement } from '../../db/observe-statements.ts'

it('a statement is named by its first change and the table of it, or by the table that it reads', () => {
  const named = {
    'insert into quote (id) values ($1) on conflict (id) do update set status = $2': 'insert quote',
    'with done as (delete from api_key where id = $1 returning id) select count(*) from done':
      'delete api_key',
    'select 1 from outbound_tx where id = $1 for no key update of outbound_tx': 'select outbound_tx',
    'select id from account for update': 'select account',
    'UPDATE only quote SET status = $1': 'update quote',
    'select submit_quote($1, $2)': 'other',
    "select 'insert-into' from price": 'select price',
  }
  for (const [text, name] of Object.entries(named)) expect([text, nameStatement(text)]).toEqual([text, name])
})
