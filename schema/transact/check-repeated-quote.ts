import { quoteNotFound, repeatedQuoteEnded } from '../../relayer/transact/errors.ts'
import type { Operation } from '../define/operation.ts'
import { orSpend } from './or-spend.ts'

/**
 * Refuses to repeat a quote that was unlocked or replaced, because the signed document would not show it. An expired
 * quote shows its expiry itself, and a submitted one is repeated, so that the client finds it.
 */
export const checkRepeatedQuote: NonNullable<Operation['checkRepeated']> = async (
  answer,
  input,
  { services },
) => {
  const { quoteId } = answer as { quoteId: string }
  const { accountId } = input.path as { accountId: string }
  const { status } = await orSpend(
    () => services.submissions.relayStatus(accountId, quoteId),
    () => services.poolSpending.relayStatus(accountId, quoteId),
  ).catch((error: unknown) => {
    if (!quoteNotFound.matches(error)) throw error
    return { status: 'unlocked' as const }
  })
  if (status === 'unlocked' || status === 'replaced')
    throw repeatedQuoteEnded(
      `The quote of this Idempotency-Key is ${status}: ask for a new one with another key`,
    )
}
