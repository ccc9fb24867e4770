import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { sql } from '../../db/connect-database.ts'
import { call } from './call.ts'
import type { TestService } from './start-service.ts'

/** A client that asks over HTTP. */
interface Asking {
  accountId: string
  token: string
}

/**
 * Expects that a request of an account stores its answer together with its effects. If the answer cannot be stored,
 * nothing else is, so that the same request succeeds afterwards. The request must be one that cannot succeed twice.
 *
 * @returns The answer.
 */
export async function expectAnswerKept(
  { url, database: { pool } }: Pick<TestService, 'url' | 'database'>,
  { accountId, token }: Asking,
  path: string,
  body: unknown,
): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() }
  const ask = () => call(`${url}/v1/accounts/${accountId}${path}`, { method: 'POST', headers, body })
  await pool.query(sql.typeAlias('void')`
    create function refuse_answer() returns trigger language plpgsql as
      $$begin raise 'no answer is stored'; end$$`)
  await pool.query(sql.typeAlias('void')`
    create trigger refuse_answer before update on idempotency_key
    for each row when (new.sealed_answer is not null) execute function refuse_answer()`)
  const refused = await ask()
  await pool.query(sql.typeAlias('void')`drop function refuse_answer cascade`)
  expect(refused.status, refused.text).toBe(500)
  const answer = await ask()
  expect(answer.status, answer.text).toBe(200)
  expect(await ask()).toMatchObject({ status: 200, text: answer.text })
  return answer.json ?? {}
}
