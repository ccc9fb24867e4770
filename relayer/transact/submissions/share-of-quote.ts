import type { CommonQueryMethods } from 'slonik'
import { countPaidQuotes } from '../../../db/transact/intents-submit.ts'
import type { GasShare } from '../../../db/chain/unpaid-gas/gas-budget.ts'

/**
 * Returns the share of the chain's unpaid gas that a payment belongs to.
 * @param runsStrangers True if it runs code that the operator does not know.
 * @param provenAfter Confirmed payments that make an account a proven one.
 */
export async function shareOfQuote(
  connection: CommonQueryMethods,
  { accountId, runsStrangers }: { accountId: string; runsStrangers: boolean },
  provenAfter: number,
): Promise<GasShare> {
  const isProven = (await countPaidQuotes(connection, accountId, provenAfter)) >= provenAfter
  if (runsStrangers) return isProven ? 'proven' : 'new'
  return isProven ? 'plain_proven' : 'plain_new'
}
