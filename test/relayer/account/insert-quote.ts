import { randomUUID } from 'node:crypto'
import type { CommonQueryMethods } from 'slonik'
import { sql } from '../../../db/connect-database.ts'

/** A confirmed quote of an account, as far as others may refer to it. */
export async function insertQuote(connection: CommonQueryMethods, accountId: string): Promise<string> {
  const quoteId = randomUUID()
  await connection.query(sql.typeAlias('void')`
    insert into quote (id, account_id, kind, status, chain_id, token, amount, recipient, terms, network_fee,
      service_fee, fee_waived, gas_cost, expires_at, ended_at)
    values (${quoteId}, ${accountId}, 'send', 'confirmed', 1, 'token', 5, 'recipient', '{}', 0, 0, true, 0, now(),
      now())`)
  return quoteId
}
