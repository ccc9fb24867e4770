import { zeroAddress } from 'viem'
import type { CommonQueryMethods } from 'slonik'
import { countPaidQuotes, type SubmittableQuote } from '../../../db/transact/intents-submit.ts'
import type { GasShare } from '../../../db/chain/unpaid-gas/gas-budget.ts'
import type { GasBudget } from '../../chain/unpaid-gas/gas-budget.ts'

/**
 * Of which share of the chain's unpaid gas a payment is that its recipient may make fail. One to a contract then has a
 * transaction for itself. Null where the recipient has no code, and none without was seen to get some in between.
 * @param toContract Whether the recipient runs code when it is paid, or the calls themselves run code of anybody.
 * @param provenAfter Confirmed payments of an account.
 */
export async function shareOfQuote(
  connection: CommonQueryMethods,
  gasBudget: Pick<GasBudget, 'countsPlain'>,
  { accountId, quote, toContract }: { accountId: string; quote: SubmittableQuote; toContract: boolean },
  provenAfter: number,
): Promise<GasShare | null> {
  if (!toContract && !gasBudget.countsPlain(quote.chainId)) return null
  const isProven = (await countPaidQuotes(connection, accountId, provenAfter)) >= provenAfter
  if (toContract) return isProven ? 'proven' : 'new'
  // A coin runs code of who gets it: what comes out counts, not what is spent.
  const paid = quote.output?.token ?? quote.token
  return paid === zeroAddress || !isProven ? 'plain' : null
}
