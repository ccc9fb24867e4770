import { randomUUID } from 'node:crypto'
import type { CommonQueryMethods } from 'slonik'
import { sql } from '../../../db/connect-database.ts'
import { insertQuote as writeQuote, type NewQuote } from '../../../db/transact/quotes.ts'

/** A quote of an account as it is written. */
export const newQuote = (accountId: string): NewQuote => ({
  id: randomUUID(),
  accountId,
  kind: 'send',
  chainId: 1,
  token: '0x00',
  tokenDecimals: 18,
  feeBps: 0,
  feeReceiver: '0x02',
  output: null,
  isVolatile: false,
  amount: 5n,
  recipient: '0x01',
  terms: {},
  asked: { maxSend: false, recipient: null, details: {}, isMixed: false },
  networkFee: 0n,
  serviceFee: 0n,
  serviceFeeUsdMicros: null,
  feeWaived: true,
  gasCost: 0n,
  feeListed: true,
  expiresAt: new Date(),
  replaces: null,
})

/** A confirmed quote of an account, with the rows that others refer to. */
export async function seedQuote(connection: CommonQueryMethods, accountId: string): Promise<string> {
  const quote = newQuote(accountId)
  await writeQuote(connection, quote)
  // Written by SQL because no store confirms a quote without an intent on a chain.
  await connection.query(sql.typeAlias('void')`
    update quote set status = 'confirmed', ended_at = now() where id = ${quote.id}`)
  return quote.id
}
