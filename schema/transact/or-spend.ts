import { quoteNotFound } from '../../relayer/transact/errors.ts'

/**
 * Answers from a quote, or from a spend from a pool if no quote has the id: a quoteId names either.
 * @throws ServiceError as both do.
 */
export async function orSpend<Result>(
  ofQuote: () => Promise<Result>,
  ofSpend: () => Promise<Result>,
): Promise<Result> {
  try {
    return await ofQuote()
  } catch (error) {
    if (!quoteNotFound.matches(error)) throw error
    return ofSpend()
  }
}
