import { quoteNotFound } from '../../relayer/transact/errors.ts'

/**
 * What is asked of a quote, or of a spend from a pool where no quote has the id: both are named by a quoteId.
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
