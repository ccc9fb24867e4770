import type { CommonQueryMethods } from 'slonik'
import type { BatchedIntent } from '../../../db/transact/intents-end.ts'
import { bookBatchGasEnd } from '../../../db/chain/unpaid-gas/gas-budget.ts'
import { kindOf } from '../kinds/quote-kinds.ts'
import { findOutcome, type IntentOutcome } from '../intents/intent-outcome.ts'

/**
 * Ends the risk of a batch, and books the cost of its intents that paid nothing. They failed, burnt their gas, stayed
 * untouched, or are of a free kind. Payments in unlisted tokens count too, because the issuer can take the fee back.
 * @param gasUsed Null if the transaction was never mined.
 */
export async function bookUnpaidGas(
  transaction: CommonQueryMethods,
  { id: outboundId, chainId }: { id: string; chainId: number },
  gasUsed: bigint | null,
  { intents, outcomes }: { intents: readonly BatchedIntent[]; outcomes: readonly IntentOutcome[] },
): Promise<void> {
  const { paid = [], unpaid = [] } = Object.groupBy(intents, (intent) =>
    findOutcome(outcomes, intent).state === 'succeeded' && kindOf(intent.kind).isCharged && intent.feeListed
      ? 'paid'
      : 'unpaid',
  )
  await bookBatchGasEnd(transaction, {
    outboundId,
    chainId,
    gasUsed,
    paidIntentIds: paid.map(({ id }) => id),
    unpaidIntentIds: unpaid.map(({ id }) => id),
  })
}
