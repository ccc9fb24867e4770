import type { CommonQueryMethods } from 'slonik'
import type { BatchedIntent } from '../../../db/transact/intents-end.ts'
import { bookUnpaidBatch } from '../../../db/chain/unpaid-gas/gas-budget.ts'
import { kindOf } from '../kinds/quote-kinds.ts'
import { findOutcome, type IntentOutcome } from '../intents/intent-outcome.ts'

/**
 * Books the cost of a mined batch's intents that paid nothing: failed, burnt or untouched, of a kind that is free, or paid in
 * a token that is not listed, whose issuer can take the fee back. Where all paid, it makes no query.
 */
export async function bookUnpaidGas(
  transaction: CommonQueryMethods,
  chainId: number,
  { gasUsed }: { gasUsed: bigint },
  { intents, outcomes }: { intents: readonly BatchedIntent[]; outcomes: readonly IntentOutcome[] },
): Promise<void> {
  const { paid = [], unpaid } = Object.groupBy(intents, (intent) =>
    findOutcome(outcomes, intent).state === 'succeeded' && !kindOf(intent.kind).isFree && intent.feeListed
      ? 'paid'
      : 'unpaid',
  )
  if (!unpaid) return
  await bookUnpaidBatch(transaction, {
    chainId,
    gasUsed,
    paidIntentIds: paid.map(({ id }) => id),
    unpaidIntentIds: unpaid.map(({ id }) => id),
  })
}
